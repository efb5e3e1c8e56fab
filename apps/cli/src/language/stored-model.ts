import { type DatapathEntry } from '@ats/datapath';

/** An event type, and the object type with which datapaths in the expressions of its topics begin. */
export interface StoredEventType {
  readonly type: string;
  readonly root: string;
}

/** The model of the expression language, as it is stored in a file. */
export interface StoredModel {
  readonly roots: readonly string[];
  /** The event types of the service. Models of older versions have none. */
  readonly eventTypes?: readonly StoredEventType[];
  readonly entries: readonly DatapathEntry[];
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNull: Check = (value) => value === null || isText(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isEventType: Check = (value) => {
  const { type, root } = (value ?? {}) as Partial<StoredEventType>;
  return isText(type) && isText(root);
};
const isTexts = isListOf(isText);

const ENTRY: Readonly<Record<keyof DatapathEntry, Check>> = {
  path: isText,
  type: isText,
  is_many: (value) => typeof value === 'boolean',
  target: isTextOrNull,
  label: isTextOrNull,
  description: isTextOrNull,
  values: (value) => value === null || isTexts(value),
  used_in: isTexts,
};

/** Checks the structure of a stored model. @throws {TypeError} that names the wrong part */
export function storedModel(given: unknown): StoredModel {
  const { roots, entries, eventTypes = [] } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (!isTexts(roots)) throw new TypeError('"roots" is no list of texts');
  if (!isListOf(isEventType)(eventTypes)) throw new TypeError('"eventTypes" is no list of event types');
  if (!Array.isArray(entries)) throw new TypeError('"entries" is no list');
  for (const [index, entry] of entries.entries())
    for (const [name, check] of Object.entries(ENTRY))
      if (!check((entry as Readonly<Record<string, unknown>> | null)?.[name]))
        throw new TypeError(`"${name}" of entry ${index} is missing or wrong`);
  return given as StoredModel;
}
