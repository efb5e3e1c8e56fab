// @ts-check
import { variablesSchema } from './variables.mjs';

/** @typedef {Record<string, unknown>} Schema */

/** Names of objects in values.yaml whose keys the operator chooses, such as labels. */
const free = new Set(['annotations', 'podAnnotations', 'labels', 'nodeSelector', 'affinity', 'resources']);

/**
 * Maps a key of values.yaml to its schema, where the type of the default value is not enough.
 * @type {Record<string, Schema>}
 */
const closer = {
  pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
  kind: { enum: ['none', 'keda', 'hpa'] },
  type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  maxUnavailable: { type: ['integer', 'string'] },
  digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  minReplicas: { type: 'integer', minimum: 1 },
};

/**
 * Generates the schema of values.yaml. It refuses unknown keys, and each value must have the type of its default.
 * @param {Record<string, unknown>} defaults
 * @param {import('./variables.mjs').Configuration} configuration
 */
export function valuesSchema(defaults, configuration) {
  const { properties, ...rest } = /** @type {{ properties: Record<string, Schema> }} */ (schemaOf('', defaults));
  const secrets = variablesSchema(configuration, { isSecret: true });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: {
      ...properties,
      config: variablesSchema(configuration, { isSecret: false }),
      // `secrets` is either empty or has all required secrets.
      secrets: { anyOf: [{ type: 'object', maxProperties: 0 }, secrets] },
      global: { type: 'object' },
    },
  };
}

/**
 * Returns the schema of a value that has this default.
 * @param {string} name
 * @param {unknown} value
 * @returns {Schema}
 */
function schemaOf(name, value) {
  if (closer[name] && typeof value !== 'object') return closer[name];
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (typeof value !== 'object' || value === null) return { type: typeof value };
  if (free.has(name)) return { type: 'object' };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOf(key, inner)])),
    additionalProperties: false,
  };
}
