import { type Message, message } from '@ats/message';
import { type SyntaxLimits } from './limits.js';

/** One part of a key. Colons separate the parts, as in `2:1`. */
export interface KeyPart {
  /** The name of the part in hints, such as `currency`. */
  readonly name: string;
  /**
   * Returns what is wrong with a part that a client wrote, or undefined when it is right. Defaults to accepting every
   * name.
   */
  readonly check?: (text: string) => KeyFault | undefined;
  /** The value of the part when it is left out. */
  readonly absent?: string;
}

/** A violation in a part of a key, without its position. */
export interface KeyFault {
  /** A sentence for people that says what is wrong with the part. */
  readonly message: Message;
  /** What is allowed instead, for programs. It is not translated. */
  readonly expected?: readonly string[];
}

/** The texts of the violations of a collection. `found` describes the text at the position of the violation. */
export interface CollectionTexts {
  /** Says that a key must follow where the datapath ends. */
  readonly missingKey: (found: Message | string) => Message;
  /** Says that the datapath must end after the key. */
  readonly afterKey: (found: string) => Message;
  /** Says that the objects of a type have no such collection. */
  readonly noCollection: (objectType: string) => Message;
  /** Says that the collection of an object type has no value whose key begins with this part. */
  readonly unknownKey: (objectType: string, key: string) => Message;
  /**
   * A hint for a name that begins with a digit. It helps clients that left out the name of a collection with numeric
   * keys.
   */
  readonly digitHint: Message;
}

/**
 * Values of an object that a key selects, such as `order.prices.EUR`. A host adds collections to the language with
 * {@link SyntaxOptions}. A datapath ends after the key. The first part of the key names the value. Further parts may be
 * left out; they choose one of several values with this name.
 */
export interface IndexedCollection {
  /** The name before the key, such as `prices`. No relation may have this name. */
  readonly name: string;
  /** The parts of a key. All except the first may be left out. */
  readonly key: readonly [KeyPart, ...KeyPart[]];
  /** The name of a key in the property `expected` of violations. Defaults to the name of the first part. */
  readonly keyName?: string;
  /** Texts of violations that replace the default texts. */
  readonly texts?: Partial<CollectionTexts>;
}

/** The properties of a function of the host that the parser needs. */
export interface FunctionSyntax {
  /** The name: capital letters, digits and `_`. Texts may write it in lower case, too. */
  readonly name: string;
  /** The types of the arguments. A call has exactly as many. */
  readonly parameters: readonly string[];
}

/**
 * The additions of a host to the grammar, and the limits for texts. An `ObjectModel` has the same properties, so a host
 * can pass its model instead.
 */
export interface SyntaxOptions {
  /** The collections in which datapaths may end. Defaults to none. */
  readonly collections?: readonly IndexedCollection[];
  /** The functions that expressions may call. Defaults to none. */
  readonly functions?: readonly FunctionSyntax[];
  /** Limits that differ from `DATAPATH_LIMITS`. Higher limits let a text cost more. */
  readonly limits?: Partial<SyntaxLimits>;
}

/** A key of a collection, as plain read-only data. Parts that the text leaves out are absent. */
export interface CollectionKey {
  /** The name of the collection. */
  readonly collection: string;
  /** The parts of the key, as the text states them. */
  readonly parts: readonly string[];
}

/** Returns the collection with a name, or undefined when the host has not added it. */
export function collectionOf({ collections }: SyntaxOptions, name: string): IndexedCollection | undefined {
  if (collections === undefined) return undefined;
  for (const collection of collections) if (collection.name === name) return collection;
  return undefined;
}

/**
 * Returns the parts of a key. A part that was left out gets its default value. The list ends before the first part
 * without a value and without a default.
 */
export function completeKey({ collections }: SyntaxOptions, { collection, parts }: CollectionKey): readonly string[] {
  const complete = [...parts];
  for (const { absent } of collectionOf({ collections: collections ?? [] }, collection)?.key.slice(parts.length) ??
    []) {
    if (absent === undefined) break;
    complete.push(absent);
  }
  return complete;
}

/** Returns the collection in the form that hints show, such as `prices.<currency>`. */
export const patternOf = ({ name, key: [first] }: IndexedCollection): string => `${name}.<${first.name}>`;

/** Returns the texts of a collection. */
export const textsOf = (collection: IndexedCollection): Omit<CollectionTexts, 'digitHint'> => ({
  ...generalTexts(collection),
  ...collection.texts,
});

const generalTexts = ({ name }: IndexedCollection): Omit<CollectionTexts, 'digitHint'> => ({
  missingKey: (found) => message`expected a key of ${name} but found ${found}`,
  afterKey: (found) => message`expected the end of the datapath after the key but found ${found}`,
  noCollection: (objectType) => message`${objectType} has no collection "${name}"`,
  unknownKey: (objectType, key) => message`${`${objectType}.${name}`} has no key "${key}"`,
});
