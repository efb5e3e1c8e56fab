import { type Schema, kindOf } from './columns.js';
import { scalarText } from './values.js';

/** The kind of field with which a property is edited. */
export type Field = 'line' | 'text' | 'number' | 'boolean' | 'choice' | 'date' | 'lines' | 'json';

/** Maximum length of a text that is edited on one line. */
const LINE_CHARACTERS = 1000;
const FIELDS: Readonly<Record<string, Field>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  object: 'json',
};

export function fieldOf(schema: Schema): Field {
  const kind = kindOf(schema);
  if (kind === 'list') return isScalar(schema.items ?? {}) && !schema.items?.$ref ? 'lines' : 'json';
  if ((schema.enum ?? []).length > 0) return 'choice';
  const isLong = kind === 'text' && (schema.maxLength ?? 0) > LINE_CHARACTERS;
  return FIELDS[kind] ?? (isLong ? 'text' : 'line');
}

const isScalar = (schema: Schema): boolean => ['text', 'integer', 'decimal'].includes(kindOf(schema));

/** Returns the value of a property as the text of its field. */
export function toInput(value: unknown, field: Field): string {
  if (value === null || value === undefined) return '';
  if (field === 'lines' && Array.isArray(value)) return value.join('\n');
  return field === 'json' || typeof value === 'object' ? JSON.stringify(value, null, 2) : scalarText(value);
}

/** Thrown for a text that is no valid value of its property. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * Returns the value of a property from the text of its field. The service checks whether the value is allowed.
 * @throws {InputError} when the text of a JSON field is not JSON
 */
export function fromInput(text: string, field: Field, schema: Schema): unknown {
  if (field === 'boolean') return text === 'true';
  if (field === 'lines') return linesOf(text, schema);
  if (text === '') return isNullable(schema) ? null : '';
  if (field === 'number') return toNumber(text);
  return field === 'json' ? parse(text) : text;
}

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some((part) => part.type === 'null') || type !== 'string';

const linesOf = (text: string, { items = {} }: Schema): readonly unknown[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return kindOf(items) === 'text' ? lines : lines.map(toNumber);
};

/**
 * Converts a text to a number. Returns any other text unchanged, so that the error of the service says what it
 * expected.
 */
const toNumber = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error));
  }
}
