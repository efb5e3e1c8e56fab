import { translatedLabel } from './field-labels.js';

/** The properties of a JSON Schema that the console reads. */
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
  /** Present only in the schemas that `GET /schemas/<resource>` returns. */
  readonly 'x-datapath'?: string;
  readonly 'x-sortable'?: boolean;
}

/** Determines how a value is shown, compared and edited. */
export type Kind = 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'datetime' | 'address' | 'list' | 'object';

/** A property of the items of a collection. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly description: string;
  /** All values of the property's closed list. Empty when the property has no closed list. */
  readonly values: readonly string[];
  /**
   * The datapath by which the column is sorted and counted. Undefined when the column can be neither sorted nor
   * counted.
   */
  readonly sortPath: string | undefined;
  /** The datapath of the column in a layout. Undefined when a layout cannot have the column. */
  readonly datapath: string | undefined;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Replaces a schema that is only a `$ref`, or an `anyOf` with null, by the schema that it stands for. */
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

/** Returns the columns of a collection from `GET /schemas/<resource>`, in the order of the representation. */
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
    datapath: datapathOf(property),
  }));
}

/**
 * Returns the label of a column. When a list and a single value have the same label, such as `Email`, the label of the
 * list says that it is a list.
 */
function uniqueLabel(name: string, kind: Kind, labels: readonly string[]): string {
  const label = labelOf(name);
  const isShared = labels.filter((other) => other.toLowerCase() === label.toLowerCase()).length > 1;
  return isShared && kind === 'list' ? `${label} ${translatedLabel('(list)') ?? '(list)'}` : label;
}

export const valuesOf = (schema: Schema): readonly string[] =>
  (schema.enum ?? []).filter((value) => value !== null).map(String);

/** The properties by which a column of related objects is sorted. The first one that can be sorted is used. */
const NAMES = ['lastname', 'title', 'name', 'label', 'id'];

/** Returns the datapath of the property by which a related object is sorted, such as its name. */
function sortPathOf({ 'x-sortable': isSortable, 'x-datapath': path, properties = {} }: Schema): string | undefined {
  if (isSortable) return path;
  const parts = NAMES.map((name) => properties[name]).filter((part) => part?.['x-sortable']);
  return parts[0]?.['x-datapath'];
}

/** Returns the datapath of a property. For a related object it is the path of the object; a layout shows its name. */
function datapathOf({ 'x-datapath': path, properties = {} }: Schema): string | undefined {
  return path ?? properties['id']?.['x-datapath']?.replace(/\.id$/, '');
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

/**
 * Returns the label of a property in the language of the page. The English label follows from the name: `Submitted` for
 * `submitted_dt`, `Public` for `is_public`, and `Item IDs` for `item_ids`.
 */
export function labelOf(name: string): string {
  const translated = translatedLabel(name);
  if (translated !== undefined) return translated;
  const words = name.replace(/^is_/, '').replace(/_dt$/, '').replaceAll('_', ' ');
  return capital(words.replace(/\b(api|id|uuid|url)(?=s?\b)/g, (word) => word.toUpperCase()));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Properties that users seldom need in a table. Their columns come last, or are not shown at first. */
const RARE = [
  ...['uuid', 'url', 'created_dt', 'updated_dt', 'opportunity_id', 'app_type', 'candidate'],
  ...['certificate', 'serial_number', 'fingerprint'],
];
/** Maximum number of columns that a table has at first. More do not fit on a screen. */
const USUAL_COLUMNS = 8;

/**
 * Returns the columns that a table has before the user chooses some. The id comes first, then the first columns that
 * are easy to read.
 */
export function usualColumns(columns: readonly Column[]): readonly string[] {
  const plain = columns.filter(({ name, kind }) => kind !== 'list' && kind !== 'address' && !RARE.includes(name));
  return plain.slice(0, USUAL_COLUMNS).map(({ name }) => name);
}
