import { type JsonSchema } from './settings-property.js';

/**
 * Returns the schema of a text whose usual values are documented, and that may have others. Generators of TypeScript
 * offer the documented values, and none refuses another value, which an `enum` alone would do.
 */
export const openList = (known: readonly string[]): JsonSchema => ({
  anyOf: [{ type: 'string', enum: known }, { type: 'string' }],
});
