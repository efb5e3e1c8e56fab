import { type Answer } from '../support/answer.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Values that differ even between two answers to the same request, such as times. Each pattern has a placeholder that
 * replaces its matches.
 */
const PLACEHOLDERS: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<moment>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '<moment in the old form>'],
  [/\bats_[A-Za-z0-9]+_[\w-]{43}/g, '<token>'],
  [/\b[0-9a-f]{64}\b/g, '<key>'],
  [/^[\w-]{43,50}$/g, '<token>'],
  [/\bexpires=\d+&client=[\d.]+&signature=[\w-]+/g, '<signed link>'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, '<key>'],
  [/\bafter=[\w-]{20,}/g, 'after=<cursor>'],
  [/(?<=nonce["':=-]{1,3})[A-Za-z0-9+/]{22}==/g, '<nonce>'],
];

/**
 * Values that differ between rows which are created in the same way, such as ids. Each pattern has a placeholder that
 * replaces its matches.
 */
const OF_ROWS: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/(?<=\b(?:person|recruiter-?|example-|unique-|board-|APP-|OPP-|candidate-))\d+/g, '<number>'],
  [/(?<=\/)\d+(?=$|[/?>"\\])/g, '<id>'],
  [/(?<="id":"?)\d+/g, '<id>'],
];

/** Names of properties that have another text in each answer to the same request. */
const RANDOM_TEXTS = ['access_token', 'client_id', 'key_id', 'token'];

/** Matches properties with ids. Ids of states are not matched, because they are the same in every database. */
const ID_NAME = /^(id|ids|value_raw|(?!state_).+_id)$/;

const HEADERS = [
  'content-type',
  'content-language',
  'link',
  'location',
  'x-total-count',
  'www-authenticate',
  'allow',
  'retry-after',
  'cache-control',
  'vary',
];

export interface Exchange {
  /** The body and its media type. */
  readonly request: Json;
  readonly answer: Answer;
  /** Other effects of the request, such as the number of e-mails and events that it has added. */
  readonly effects: Json;
}

/**
 * Replaces values that differ even between two exchanges of the same request, such as times.
 * @param isSameData  true when both exchanges are about the same rows. If false, values that differ between rows
 *   which are created in the same way, such as ids, are also replaced.
 */
export function comparable({ request, answer, effects }: Exchange, isSameData: boolean): Json {
  const { headers, status } = answer;
  const compared = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return cleaned(
    {
      request,
      effects,
      status,
      headers: { ...Object.fromEntries(compared), etag: 'etag' in headers },
      body: bodyOf(answer),
    },
    isSameData,
  );
}

function bodyOf(answer: Answer): Json {
  const { headers, text } = answer;
  if (headers['content-type']?.startsWith('application/json')) return answer.json as Json;
  // The values of metrics always change, so only their names and types are compared.
  return headers['content-type']?.startsWith('text/plain; version=0.0.4')
    ? text.split('\n').filter((line) => line.startsWith('# TYPE '))
    : text;
}

function cleaned(value: Json, isSameData: boolean, name = ''): Json {
  if (isList(value)) return value.map((element) => cleaned(element, isSameData, name));
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([property]) => property !== 'request_id');
    return Object.fromEntries(entries.map(([property, inner]) => [property, cleaned(inner, isSameData, property)]));
  }
  if (typeof value === 'number') return !isSameData && ID_NAME.test(name) ? '<id>' : value;
  if (typeof value !== 'string') return value;
  const patterns = isSameData ? PLACEHOLDERS : [...PLACEHOLDERS, ...OF_ROWS];
  return patterns.reduce(
    (text, [pattern, placeholder]) => text.replaceAll(pattern, placeholder),
    RANDOM_TEXTS.includes(name) ? `<${name}>` : value,
  );
}

/** Describes the differences of two values, by JSON pointer. `*` in a pointer stands for all elements of a list. */
export function differencesOf(older: Json, newer: Json, pointer = ''): readonly string[] {
  if (isList(older) && isList(newer) && older.length === newer.length)
    return unique(older.flatMap((element, index) => differencesOf(element, newer[index] ?? null, `${pointer}/*`)));
  if (isObject(older) && isObject(newer)) {
    const names = unique([...Object.keys(older), ...Object.keys(newer)]);
    return names.flatMap((name) => {
      const [before, after] = [older[name], newer[name]];
      if (before === undefined) return [`added ${pointer}/${name}`];
      return after === undefined ? [`gone ${pointer}/${name}`] : differencesOf(before, after, `${pointer}/${name}`);
    });
  }
  return JSON.stringify(older) === JSON.stringify(newer) ? [] : [`${pointer} ${inWords(older, newer)}`];
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const LONGEST = 60;

/** Shows two texts, starting with the word in which they begin to differ. */
function inWords(older: Json, newer: Json): string {
  if (typeof older !== 'string' || typeof newer !== 'string') return `${shown(older)} → ${shown(newer)}`;
  const parting = [...older].findIndex((character, index) => character !== newer[index]);
  const start = Math.max(older.slice(0, parting < 0 ? older.length : parting).search(/[^\s/]*$/), 0);
  return [older, newer].map((text) => `${start > 0 ? '…' : ''}${shown(text.slice(start))}`).join(' → ');
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  if (text.length <= LONGEST) return text;
  if (isList(value)) return `a list of ${value.length}`;
  return isObject(value) ? `{ ${Object.keys(value).join(', ')} }` : `${text.slice(0, LONGEST)}…`;
}
