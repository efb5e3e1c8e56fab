import { type ValueType } from '@ats/datapath';
import { type SqlAttribute } from '@ats/search-query';
import { z } from 'zod';
import {
  type AttributeOptions,
  type ListSource,
  type MemoryContext,
  type ObjectData,
  type TextContent,
  type WriteRule,
} from './attribute-options.js';
import { type ColumnDescription, type ColumnType } from './column.js';
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

export interface Attribute extends SqlAttribute {
  readonly kind: 'attribute';
  readonly type: ValueType;
  readonly many: boolean;
  /** True for a text that is stored in several languages. Clients read it in one language. */
  readonly isLocalised: boolean;
  readonly shown: boolean;
  readonly onlyInItems: boolean;
  readonly nullable: boolean;
  /** True when the value of some rows needs further scopes. */
  readonly needsFurtherScopes: boolean;
  /** False for a value that snapshots of events never store. */
  readonly inFacts: boolean;
  readonly write?: WriteRule;
  readonly keptWhenAbsent: boolean;
  readonly shownAt?: readonly string[];
  readonly personal: boolean;
  readonly identifying: boolean;
  readonly content?: TextContent;
  readonly isPlain: boolean;
  readonly isOnDemand?: boolean;
  /** All allowed values. */
  readonly values?: readonly string[];
  readonly listed?: ListSource;
  /** The documented values of a list that consists of rows. */
  readonly known?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  /** The stored column; absent for a computed attribute. */
  readonly column?: ColumnDescription;
  /** The HTML column of a rich text. `column` is its plain text. */
  readonly htmlColumn?: string;
  readonly memory: (object: ObjectData, context: MemoryContext) => unknown;
  /** The check of values that clients send. */
  readonly schema: z.ZodType;
}

/**
 * True when the `filter` parameter searches an attribute of the representation: texts and dates, except `url`, `uuid`
 * and attributes that pages do not have. Source: docs/reference/search.md.
 */
export const isFilterable = (name: string, { type, onlyInItems }: Pick<Attribute, 'type' | 'onlyInItems'>): boolean =>
  ['text', 'rich_text', 'date'].includes(type) && name !== 'url' && name !== 'uuid' && !onlyInItems;

interface Kind {
  readonly type: ValueType;
  readonly columnType: ColumnType;
  readonly schema: z.ZodType;
  readonly many?: boolean;
  readonly values?: readonly string[];
}

/** Makes an attribute with the given name. `objectType` calls this function with the name of the property. */
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
      needsFurtherScopes: options.furtherScopes !== undefined,
      inFacts: options.inFacts ?? options.furtherScopes === undefined,
      keptWhenAbsent: options.keptWhenAbsent ?? false,
      personal: options.personal ?? false,
      identifying: options.identifying ?? false,
      ...(options.content && { content: options.content }),
      ...(options.write && { write: options.write }),
      ...(options.shownAt && { shownAt: options.shownAt }),
      ...(options.format && { format: options.format }),
      ...(options.hasEmails && { hasEmails: true }),
      ...(options.description && { description: options.description }),
      ...(kind.values && { values: kind.values }),
      ...(options.listed && { listed: options.listed }),
      ...(options.known && { known: options.known }),
      ...(!options.computed && {
        column: { name: column, type: kind.columnType, ...(kind.many && { isArray: true }) },
        ...(kind.columnType === 'uuid' && { sqlType: 'uuid' }),
      }),
      schema: options.nullable ? kind.schema.nullable() : kind.schema,
      ...(options.isFolded && { foldedSql: (alias) => `${alias}.${column}_folded` }),
      ...(options.computed?.readsOtherRows && { readsOtherRows: true }),
      ...(options.computed?.isOnDemand && { isOnDemand: true }),
      ...(options.computed?.ofId && { sqlOfId: options.computed.ofId }),
      isPlain: options.isPlain ?? kind.values !== undefined,
      isRequired: options.isRequired ?? (!options.nullable && !options.computed),
      sql: limitedSql(options.computed?.sql ?? ((alias) => `${alias}.${column}`), options.furtherScopes),
      memory: options.computed?.memory ?? ((object) => object[name] ?? null),
    };
  };
}

/**
 * SQL for a limited value: it is null when the reader lacks the further scopes of the value. The setting `readable`
 * lists the resources that the reader may read.
 */
const limitedSql = (sql: Attribute['sql'], furtherScopes: AttributeOptions['furtherScopes']): Attribute['sql'] =>
  furtherScopes
    ? (alias, settings) =>
        settings['readable'] === undefined
          ? sql(alias, settings)
          : `CASE WHEN ${furtherScopes(alias)} <@ ${settings['readable']} THEN ${sql(alias, settings)} END`
    : sql;

export interface TextOptions extends AttributeOptions {
  /** Maximum length in UTF-16 units. Defaults to 255. */
  readonly maxLength?: number;
  /** All allowed values. */
  readonly values?: readonly [string, ...string[]];
  /** A stricter check of values that clients send, for example an e-mail address. */
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

/**
 * A text with formatting. Its column stores sanitised HTML, and `<column>_plain` stores its plain text. Only answers
 * that show rich texts as HTML use the HTML; everything else uses the plain text. Source: docs/reference/rich-text.md.
 */
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

/** The id of a row, which PostgreSQL stores as `bigint`. */
export const id = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'integer', columnType: 'bigint', schema: idSchema }, options);

/** The largest value of the SQL type `numeric(14, 2)`. */
const MAX_DECIMAL = 999_999_999_999.99;

export interface DecimalOptions extends NumberOptions {
  /** True when the type of the column limits its values to 15 digits. See `SqlAttribute.fitsDouble`. */
  readonly fitsDouble?: boolean;
}

/** A number with at most two decimals. */
export const decimal =
  ({
    minimum = -MAX_DECIMAL,
    maximum = MAX_DECIMAL,
    fitsDouble = false,
    ...options
  }: DecimalOptions = {}): NamedAttribute =>
  (name) => ({
    ...attribute({ type: 'decimal', columnType: 'numeric', schema: decimalSchema(minimum, maximum) }, options)(name),
    fitsDouble,
  });

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
  /** Maximum number of texts. Defaults to 100. */
  readonly maxItems?: number;
  /** The check of each text. Defaults to the check of a tag. */
  readonly element?: z.ZodType;
}

/** A list of texts, such as tags. Its datapath is to-many. */
export const textList = ({
  maxItems = MAX_TAGS,
  element = tagSchema,
  ...options
}: TextListOptions = {}): NamedAttribute =>
  attribute({ type: 'text', columnType: 'text', many: true, schema: z.array(element).max(maxItems) }, options);

const MAX_IDS = 1000;

/** A list of ids without a meaningful order. Its datapath is to-many. */
export const idList = (options: AttributeOptions = {}): NamedAttribute =>
  attribute({ type: 'integer', columnType: 'bigint', many: true, schema: z.array(idSchema).max(MAX_IDS) }, options);

export interface LocalisedTextOptions extends AttributeOptions {
  /** Maximum length of the text in each language, in UTF-16 units. Defaults to 255. */
  readonly maxLength?: number;
}

/** A text stored in several languages and read in the language of the request. Source: docs/reference/languages.md. */
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
