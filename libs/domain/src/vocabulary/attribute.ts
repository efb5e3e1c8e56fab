import { type ValueType } from '@ats/datapath';
import { type SqlAttribute, type SqlSettings } from '@ats/search-query';
import { z } from 'zod';
import { RICH_TEXT_NOTE, richTextSql } from './rich-text.js';
import { localisedSchema, localisedSql, localisedValue } from './localised-text.js';
import {
  booleanSchema,
  cleanText,
  dateSchema,
  decimalSchema,
  filledText,
  idSchema,
  integerSchema,
  momentSchema,
  oneOf,
  richTextSchema,
  tagSchema,
} from './value-schema.js';

/** An object as the in-memory readings see it: attributes and related objects by the names of the model. */
export type ObjectData = Readonly<Record<string, unknown>>;

/** What a computed value may depend on beside its object. */
export interface MemoryContext {
  readonly now: Date;
  /** IANA name of the system's time zone. */
  readonly timeZone: string;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  readonly language: string;
  /** The system's: of localised texts that lack the other one. */
  readonly defaultLanguage: string;
}

/** Whether a client may or must send it on create and replace; without a rule it is read only. */
export type WriteRule = 'required' | 'optional';

export interface AttributeOptions {
  /** Stands in the representation, at `/<name>`. What is not shown does not get out. */
  readonly shown?: boolean;
  /** Too large for pages: it stands in the representation of a single item, and no `filter` looks into it. */
  readonly onlyInItems?: boolean;
  readonly nullable?: boolean;
  readonly write?: WriteRule;
  /** What the text is, in the words of JSON Schema: `uri`, `uuid`, `email`. */
  readonly format?: string;
  /** For an integrator, where the name does not say it. In English: it stands in the schemas alone. */
  readonly description?: string;
  /** Says something about a person: gone when that person is anonymised. */
  readonly personal?: boolean;
  /** Such a value leads to one person, as a name or an address does: stored searches that look for it forget it too. */
  readonly identifying?: boolean;
  /** A replace that leaves it out keeps the old value instead of setting the default. */
  readonly keptWhenAbsent?: boolean;
  /** The stored column when it is not called like the attribute. */
  readonly column?: string;
  /** Its folded text is stored too, in a generated column `<column>_folded` that an index serves: people search in it. */
  readonly isFolded?: boolean;
  /** For a value that is computed: its two readings, side by side. */
  readonly computed?: {
    readonly sql: (alias: string, settings: SqlSettings) => string;
    readonly memory: (object: ObjectData, context: MemoryContext) => unknown;
    /** For a value that follows from the id alone. */
    readonly ofId?: (id: string, settings: SqlSettings) => string;
  };
  /** A text that stands in JSON as it is: without quotation marks, backslashes and control characters. */
  readonly isPlain?: boolean;
  /** No row is without a value; what is stored and not nullable has one unless told. */
  readonly isRequired?: boolean;
}

export interface Attribute extends SqlAttribute {
  readonly kind: 'attribute';
  readonly type: ValueType;
  readonly many: boolean;
  /** Kept in several languages, read in one. */
  readonly isLocalised: boolean;
  readonly shown: boolean;
  /** Not in pages of a collection. */
  readonly onlyInItems: boolean;
  readonly nullable: boolean;
  readonly write?: WriteRule;
  readonly keptWhenAbsent: boolean;
  readonly personal: boolean;
  readonly identifying: boolean;
  /** A text that stands in JSON as it is. */
  readonly isPlain: boolean;
  /** The only values there are. */
  readonly values?: readonly string[];
  /** What the text is, in the words of JSON Schema: `uri`, `uuid`, `email`. */
  readonly format?: string;
  readonly description?: string;
  /** Absent for a computed one. */
  readonly column?: ColumnDescription;
  /** Of a rich text: the column of its HTML; `column` has its plain text. */
  readonly htmlColumn?: string;
  readonly memory: (object: ObjectData, context: MemoryContext) => unknown;
  /** What a client may send. */
  readonly schema: z.ZodType;
}

/**
 * Whether the `filter` parameter looks into an attribute of the representation: texts and dates, but what no person would look
 * for. Source: CONTRACT.md 4, `filter`.
 */
export const isFilterable = (name: string, { type, onlyInItems }: Pick<Attribute, 'type' | 'onlyInItems'>): boolean =>
  ['text', 'rich_text', 'date'].includes(type) && name !== 'url' && name !== 'uuid' && !onlyInItems;

export interface ColumnDescription {
  /** Absent: called like the attribute. */
  readonly name?: string;
  readonly type: ColumnType;
  readonly isArray?: boolean;
}

export type ColumnType =
  | 'bigint'
  | 'integer'
  | 'numeric'
  | 'text'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'uuid'
  | 'jsonb'
  | 'bytea';

/** The columns that keep an attribute, by their names: none of a computed one, two of a rich text. */
export const storedColumns = (name: string, { column, htmlColumn }: Attribute): readonly string[] => [
  ...(column ? [column.name ?? name] : []),
  ...(htmlColumn === undefined ? [] : [htmlColumn]),
];

interface Kind {
  readonly type: ValueType;
  readonly columnType: ColumnType;
  readonly schema: z.ZodType;
  readonly many?: boolean;
  readonly values?: readonly string[];
}

/** `objectType` fills in the column's name; until then the readings are asked for by the attribute's name. */
export type NamedAttribute = (name: string) => Attribute;

function attribute(kind: Kind, options: AttributeOptions): NamedAttribute {
  return (name) => {
    const column = options.column ?? name;
    return {
      kind: 'attribute',
      type: kind.type,
      many: kind.many ?? false,
      isLocalised: false,
      shown: options.shown ?? false,
      onlyInItems: options.onlyInItems ?? false,
      nullable: options.nullable ?? false,
      keptWhenAbsent: options.keptWhenAbsent ?? false,
      personal: options.personal ?? false,
      identifying: options.identifying ?? false,
      ...(options.write && { write: options.write }),
      ...(options.format && { format: options.format }),
      ...(options.description && { description: options.description }),
      ...(kind.values && { values: kind.values }),
      ...(!options.computed && {
        column: { name: column, type: kind.columnType, ...(kind.many && { isArray: true }) },
        ...(kind.columnType === 'uuid' && { sqlType: 'uuid' }),
      }),
      schema: options.nullable ? kind.schema.nullable() : kind.schema,
      ...(options.isFolded && { foldedSql: (alias) => `${alias}.${column}_folded` }),
      ...(options.computed?.ofId && { sqlOfId: options.computed.ofId }),
      isPlain: options.isPlain ?? kind.values !== undefined,
      isRequired: options.isRequired ?? (!options.nullable && !options.computed),
      sql: options.computed?.sql ?? ((alias) => `${alias}.${column}`),
      memory: options.computed?.memory ?? ((object) => object[name] ?? null),
    };
  };
}

export interface TextOptions extends AttributeOptions {
  /** In UTF-16 units; 255 unless told. */
  readonly maxLength?: number;
  /** The only values there are. */
  readonly values?: readonly [string, ...string[]];
  /** A stricter check of what a client sends, for example an address. */
  readonly schema?: z.ZodType;
}

export const text = ({ maxLength = 255, values, schema, ...options }: TextOptions = {}): NamedAttribute => {
  const plain = options.nullable ? cleanText(maxLength) : filledText(maxLength);
  const chosen = values && oneOf(values);
  return attribute(
    { type: 'text', columnType: 'text', schema: schema ?? chosen ?? plain, ...(values && { values }) },
    options,
  );
};

/** A text with formatting: sanitised HTML in its column, and its plain text, which everything but a reading as HTML sees, in `<column>_plain`. */
export const richText =
  (options: AttributeOptions = {}): NamedAttribute =>
  (name) => {
    const html = options.column ?? name;
    const plain = `${html}_plain`;
    const description = [options.description, RICH_TEXT_NOTE].filter(Boolean).join(' ');
    return {
      ...attribute(
        { type: 'rich_text', columnType: 'text', schema: richTextSchema },
        { ...options, column: plain, description },
      )(name),
      htmlColumn: html,
      sql: (alias, settings) => richTextSql(alias, { html, plain }, settings),
    };
  };

export interface NumberOptions extends AttributeOptions {
  readonly minimum?: number;
  readonly maximum?: number;
}

const MAX_INTEGER = 2_147_483_647;

export const integer = ({
  minimum = -MAX_INTEGER,
  maximum = MAX_INTEGER,
  ...options
}: NumberOptions = {}): NamedAttribute =>
  attribute({ type: 'integer', columnType: 'integer', schema: integerSchema(minimum, maximum) }, options);

/** An id of a row. */
export const id = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'integer', columnType: 'bigint', schema: idSchema }, options);

/** What `numeric(14, 2)` holds. */
const MAX_DECIMAL = 999_999_999_999.99;

/** With at most two decimals. */
export const decimal = ({
  minimum = -MAX_DECIMAL,
  maximum = MAX_DECIMAL,
  ...options
}: NumberOptions = {}): NamedAttribute =>
  attribute({ type: 'decimal', columnType: 'numeric', schema: decimalSchema(minimum, maximum) }, options);

export const boolean = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'boolean', columnType: 'boolean', schema: booleanSchema }, options);

export const date = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'date', columnType: 'date', schema: dateSchema }, options);

export const datetime = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'datetime', columnType: 'timestamptz', schema: momentSchema }, options);

export const uuid = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'text', columnType: 'uuid', schema: z.uuid() }, { ...options, format: 'uuid', isPlain: true });

const MAX_TAGS = 100;

export interface TextListOptions extends AttributeOptions {
  /** 100 unless told. */
  readonly maxItems?: number;
  /** The check of each text, where it is another than that of a tag. */
  readonly element?: z.ZodType;
}

/** A list of texts, short ones such as tags unless told; a to-many datapath. */
export const textList = ({
  maxItems = MAX_TAGS,
  element = tagSchema,
  ...options
}: TextListOptions = {}): NamedAttribute =>
  attribute({ type: 'text', columnType: 'text', many: true, schema: z.array(element).max(maxItems) }, options);

const MAX_IDS = 1000;

/** A list of ids, in an order of no meaning; a to-many datapath. */
export const idList = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'integer', columnType: 'bigint', many: true, schema: z.array(idSchema).max(MAX_IDS) }, options);

export interface LocalisedTextOptions extends AttributeOptions {
  /** In UTF-16 units, in each language; 255 unless told. */
  readonly maxLength?: number;
}

/** A text kept in several languages, read in the one of the request. CONTRACT.md 11. */
export const localisedText =
  ({ maxLength = 255, ...options }: LocalisedTextOptions = {}): NamedAttribute =>
  (name) => {
    const column = options.column ?? name;
    return {
      ...attribute(
        { type: 'text', columnType: 'jsonb', schema: localisedSchema(filledText(maxLength)) },
        options,
      )(name),
      isLocalised: true,
      sql: (alias, settings) => localisedSql(`${alias}.${column}`, settings),
      memory: (object, context) => localisedValue(object[name], context),
    };
  };
