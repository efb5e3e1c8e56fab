/** A JSON Schema, as far as the console reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxLength?: number;
  /** Only in `GET /schemas/<resource>`. */
  readonly 'x-datapath'?: string;
  readonly 'x-sortable'?: boolean;
}

/** How a value is shown, compared and edited. */
export type Kind = 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'datetime' | 'address' | 'list' | 'object';

/** A property of the items of a collection. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly description: string;
  /** The values of a closed list. */
  readonly values: readonly string[];
  /** The datapath by which the collection is sorted and counted; undefined when it cannot be. */
  readonly sortPath: string | undefined;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Follows `$ref`, and the one schema of an `anyOf` that is not null. */
export function resolve(schemas: Schemas, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
    return {
      ...resolve(schemas, target),
      ...(schema.description !== undefined && { description: schema.description }),
    };
  }
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? { ...schema, ...resolve(schemas, only) } : schema;
}

/** The columns of a collection from `GET /schemas/<resource>`, in the order of the representation. */
export function columnsOf(schema: Schema): readonly Column[] {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'layout_data');
  const labels = properties.map(([name]) => labelOf(name));
  return properties.map(([name, property]) => ({
    name,
    label: uniqueLabel(name, kindOf(property), labels),
    kind: kindOf(property),
    description: property.description ?? '',
    values: valuesOf(property),
    sortPath: sortPathOf(property),
  }));
}

/** A list may have the name of a single value, such as `Email` beside `email`. Its label then says that it is a list. */
function uniqueLabel(name: string, kind: Kind, labels: readonly string[]): string {
  const label = labelOf(name);
  const isShared = labels.filter((other) => other.toLowerCase() === label.toLowerCase()).length > 1;
  return isShared && kind === 'list' ? `${label} (list)` : label;
}

export const valuesOf = (schema: Schema): readonly string[] =>
  (schema.enum ?? []).filter((value) => value !== null).map(String);

/** The properties of a related object by which people look for it, the best first. */
const NAMES = ['lastname', 'title', 'name', 'label', 'id'];

/** A related object is sorted by its name. */
function sortPathOf({ 'x-sortable': isSortable, 'x-datapath': path, properties = {} }: Schema): string | undefined {
  if (isSortable) return path;
  const parts = NAMES.map((name) => properties[name]).filter((part) => part?.['x-sortable']);
  return parts[0]?.['x-datapath'];
}

const FORMATS: Readonly<Record<string, Kind>> = { 'date-time': 'datetime', date: 'date', uri: 'address' };
const TYPES: Readonly<Record<string, Kind>> = {
  integer: 'integer',
  number: 'decimal',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
};

export function kindOf({ type, format }: Schema): Kind {
  const name = typeof type === 'string' ? type : type?.find((one) => one !== 'null');
  return FORMATS[format ?? ''] ?? TYPES[name ?? ''] ?? 'text';
}

/** A readable name: `submitted_dt` becomes `Submitted`, and `is_public` becomes `Public`. */
export function labelOf(name: string): string {
  const words = name.replace(/^is_/, '').replace(/_dt$/, '').replaceAll('_', ' ');
  return capital(words.replace(/^(api|id|uuid|url)\b/, (word) => word.toUpperCase()));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Properties that say little in a table, and come last or not at all. */
const RARE = ['uuid', 'url', 'created_dt', 'updated_dt', 'opportunity_id', 'app_type', 'candidate'];
/** More columns than these do not fit on a screen. */
const USUAL_COLUMNS = 8;

/** The columns that a table has before anybody chooses: the id first, then the first that are easy to read. */
export function usualColumns(columns: readonly Column[]): readonly string[] {
  const plain = columns.filter(({ name, kind }) => kind !== 'list' && kind !== 'address' && !RARE.includes(name));
  return plain.slice(0, USUAL_COLUMNS).map(({ name }) => name);
}
