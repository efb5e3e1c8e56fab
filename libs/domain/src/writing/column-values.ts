import { storedColumns } from '../vocabulary/column.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type Representation } from './object-changes.js';
import { isRichText, richTextValues } from './rich-text-columns.js';
import { type WriteBody } from './write-schema.js';

/**
 * Maps each column that a body sets to its new value.
 * @param before  the current representation, with rich texts as HTML and plain text
 */
export function columnValues(type: ObjectType, body: WriteBody, before: Representation = {}): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(type.properties)) {
    if (!property.write) continue;
    if (isRichText(property)) {
      Object.assign(values, richTextValues(property, body[name], before[name]));
      continue;
    }
    const [key, column] =
      property.kind === 'attribute' ? [name, property.column?.name] : [`${name}_id`, property.column];
    if (column && body[key] !== undefined) values[column] = body[key];
  }
  return values;
}

/**
 * Maps each column that a client may write to SQL for its default. Leaves out the columns of attributes that are
 * `keptWhenAbsent`.
 */
export function defaultsOf(type: ObjectType): Record<string, () => string> {
  const values: Record<string, () => string> = {};
  for (const [name, property] of Object.entries(type.properties)) {
    if (!property.write || (property.kind === 'attribute' && property.keptWhenAbsent)) continue;
    const columns = property.kind === 'attribute' ? storedColumns(name, property) : [property.column];
    for (const column of columns) if (column) values[column] = DEFAULT;
  }
  return values;
}

const DEFAULT = (): string => 'DEFAULT';
