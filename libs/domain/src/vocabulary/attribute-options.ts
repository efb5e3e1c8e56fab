import { type SqlSettings } from '@ats/search-query';

/** An object in memory: attributes and related objects by the names of the model. */
export type ObjectData = Readonly<Record<string, unknown>>;

/** The values that a computed attribute may depend on, beside the values of its object. */
export interface MemoryContext {
  readonly now: Date;
  /** IANA name of the system's time zone. */
  readonly timeZone: string;
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
  readonly language: string;
  /** The system's default language, for localised texts without a translation into `language`. */
  readonly defaultLanguage: string;
}

/**
 * The rule for writes: `required` means that clients must send the attribute, `optional` that they may. Without a rule
 * it is read-only.
 */
export type WriteRule = 'required' | 'optional';

/**
 * The content of a stored text that is not prose. Anonymising a person searches all texts for the person's values.
 *
 * - `expression`: an expression. A string literal that contains a value of the person is replaced as a whole.
 * - `condition`: a condition of a search. A compared value that contains a value of the person is replaced as a whole.
 * - `template`: prose with placeholders, which are kept.
 * - `fact`: a short value such as a place or a job title. A single word in it never counts as a name.
 * - `key`: a text that other systems or rows refer to, such as a URL. It is reported and never changed.
 * - `code`: a text of a closed language, such as a datapath, which cannot name a person. It is not searched.
 *
 * Source: docs/reference/data-protection.md, "Texts that mention the person".
 */
export type TextContent = 'expression' | 'condition' | 'template' | 'fact' | 'key' | 'code';

export interface AttributeOptions {
  /** True when the representation shows the attribute, at `/<name>`. Other attributes are never sent to clients. */
  readonly shown?: boolean;
  /** True for a value that is too large for pages. Only single items show it, and `filter` ignores it. */
  readonly onlyInItems?: boolean;
  readonly nullable?: boolean;
  readonly write?: WriteRule;
  /** Format of the text as in JSON Schema: `uri`, `uuid`, `email`. */
  readonly format?: string;
  /**
   * True when values can be e-mail addresses although the attribute does not have the format `email`. Searches then
   * ignore the case of the values.
   */
  readonly hasEmails?: boolean;
  /** Text for integrators, in English, for schemas only. Leave it out when the attribute's name says enough. */
  readonly description?: string;
  /** True for personal data, which is removed when the person is anonymised. */
  readonly personal?: boolean;
  /** True for a value that identifies one person, such as a name. Anonymising removes it from searches too. */
  readonly identifying?: boolean;
  /** The content of a text that is not prose. */
  readonly content?: TextContent;
  /**
   * False for a value that snapshots of events never store, so that expressions of topics cannot use it. Defaults to
   * true, and to false for a value that needs further scopes.
   */
  readonly inFacts?: boolean;
  /** True when a body that leaves out this attribute keeps the stored value instead of setting the default. */
  readonly keptWhenAbsent?: boolean;
  /**
   * The names that lead to the attribute's value in the representation. Only for an attribute that clients write, but
   * that is not `shown` under its own name.
   */
  readonly shownAt?: readonly string[];
  /** The stored column. Defaults to the attribute's name. */
  readonly column?: string;
  /** True when a generated, indexed column `<column>_folded` stores the folded text for searches. */
  readonly isFolded?: boolean;
  /** Computes the value in SQL and in memory, for an attribute without a column. Both must give the same value. */
  readonly computed?: {
    readonly sql: (alias: string, settings: SqlSettings) => string;
    readonly memory: (object: ObjectData, context: MemoryContext) => unknown;
    /** True when the SQL reads rows besides the row of the object, such as the SQL of a count. */
    readonly readsOtherRows?: true;
    /**
     * True for a costly value that the snapshot of an event stores only when it belongs to the subject, or when a topic
     * uses it. Source: docs/reference/notifications.md, "Snapshots".
     */
    readonly isOnDemand?: true;
    /** SQL for the value, when the value depends on nothing but the id of the object. */
    readonly ofId?: (id: string, settings: SqlSettings) => string;
  };
  /**
   * SQL for a text array: the further resources that a client must be allowed to read to see the value of a row. For a
   * client that lacks one of these read scopes the value is null, also in searches. When the SQL is null, the value
   * needs the read scopes of all resources.
   * Source: docs/reference/authentication.md, "Values with further scopes".
   */
  readonly furtherScopes?: (alias: string) => string;
  /** True for a text that needs no escaping in JSON: it has no quotation marks, backslashes or control characters. */
  readonly isPlain?: boolean;
  /** True when every row has a value. Defaults to true for a stored attribute that is not nullable. */
  readonly isRequired?: boolean;
  /**
   * Returns the closed list of allowed values, for a list that is not known when the attribute is described. Otherwise
   * use `values`.
   */
  readonly listed?: ListSource;
  /** The documented values of an attribute with `listed: 'rows'`. Other values may follow from the rows. */
  readonly known?: readonly string[];
}

/**
 * `rows`: the values in the rows of the type's table are the list, so that operators can add values. A function returns
 * the list, or undefined when every value is accepted.
 */
export type ListSource = 'rows' | (() => readonly string[] | undefined);
