import { message } from '@ats/message';
import {
  type CollectionKey,
  collectionOf,
  type IndexedCollection,
  type KeyFault,
  type SyntaxOptions,
  textsOf,
} from './collection.js';
import { describeCharacter, isDigit, isLetter, isWordCharacter } from './characters.js';
import { syntaxError, toWord } from './errors.js';
import { limitsOf, type SyntaxLimits } from './limits.js';

/** A parsed datapath, as plain read-only data. Its names have not been looked up in an object model. */
export interface Datapath {
  /** The canonical text. It is the only way to write the datapath. */
  readonly text: string;
  /** The names, including the root. When `key` is present, the name of the collection is left out. */
  readonly names: readonly string[];
  /** The key at the end of the datapath, in a collection that the host added. */
  readonly key?: CollectionKey;
}

/** The extensions of the host, with a value for every limit of a text. */
export type KnownSyntax = SyntaxOptions & { readonly limits: SyntaxLimits };

const DOT = 0x2e;
const COLON = 0x3a;

/**
 * Parses a datapath that stands alone: a search or sort key, a layout column or a placeholder.
 * @param options  the extensions of the host; an object model has them
 * @throws {DatapathSyntaxError} when the text is not exactly one datapath. Blanks are not skipped
 * Source: docs/reference/datapaths.md, "Syntax".
 */
export function parseDatapath(text: string, options: SyntaxOptions = {}): Datapath {
  const limits = limitsOf(options);
  if (text.length > limits.textLength) {
    const violation = message`a datapath has at most ${limits.textLength} characters`;
    throw syntaxError(text, { code: 'limit_exceeded', message: violation, offset: limits.textLength, length: 1 });
  }
  if (text === '') {
    const violation = message`expected a datapath but found end of text`;
    throw syntaxError(text, {
      code: 'unexpected_end',
      message: violation,
      offset: 0,
      length: 0,
      expected: ['datapath'],
    });
  }
  if (!isLetter(text.charCodeAt(0))) throw missingName(text, 0, options);
  const path = scanDatapath(text, 0, { ...options, limits });
  if (path.text.length < text.length) {
    const offset = path.text.length;
    const found = describeCharacter(text, offset);
    const violation = message`expected end of datapath but found ${found}`;
    throw syntaxError(text, {
      code: 'unexpected_character',
      message: violation,
      offset,
      length: 1,
      expected: ['end of text'],
      found,
    });
  }
  return path;
}

/**
 * Reads the longest datapath that begins at `start`, where a letter or an underscore must be. Grammar: path : name (
 * "." name )* ( "." collection "." key )?
 */
export function scanDatapath(source: string, start: number, options: KnownSyntax): Datapath {
  const { limits } = options;
  const names: string[] = [];
  let at = start;
  for (;;) {
    const nameStart = at;
    while (isWordCharacter(source.charCodeAt(at))) at++;
    checkLength(source, { offset: nameStart, end: at }, limits);
    const name = source.slice(nameStart, at);
    if (names.length >= limits.pathSegments) throw tooManySegments(source, { offset: nameStart, end: at }, limits);
    if (source.charCodeAt(at) !== DOT) {
      const text = names.length === 0 ? name : source.slice(start, at);
      names.push(name);
      return { text, names };
    }
    at++;
    const collection = options.collections === undefined ? undefined : collectionOf(options, name);
    if (collection !== undefined) return scanCollection(source, { start, at, names, limits }, collection);
    if (!isLetter(source.charCodeAt(at))) throw missingName(source, at, options);
    names.push(name);
  }
}

interface Progress {
  readonly start: number;
  readonly at: number;
  readonly names: readonly string[];
  readonly limits: SyntaxLimits;
}

/** Reads the key of a collection. Grammar: key : name ( ":" name )* */
function scanCollection(
  source: string,
  { start, at, names, limits }: Progress,
  collection: IndexedCollection,
): Datapath {
  const parts: string[] = [];
  let end = at;
  for (const [index, part] of collection.key.entries()) {
    if (index > 0) {
      if (source.charCodeAt(end) !== COLON) break;
      end++;
    }
    const partStart = end;
    while (isWordCharacter(source.charCodeAt(end))) end++;
    const text = source.slice(partStart, end);
    if (index === 0 && text === '') throw missingKey(source, at, collection);
    const fault = part.check?.(text) ?? (text === '' ? missingPart(source, end) : undefined);
    if (fault !== undefined) {
      const length = Math.max(1, text.length);
      throw syntaxError(source, { code: 'invalid_path', ...fault, offset: partStart, length, found: text });
    }
    checkLength(source, { offset: partStart, end }, limits);
    parts.push(text);
  }
  const next = source.charCodeAt(end);
  if (next === DOT || next === COLON) throw afterKey(source, end, collection);
  return { text: source.slice(start, end), names, key: { collection: collection.name, parts } };
}

function missingPart(source: string, offset: number): KeyFault {
  const found = offset < source.length ? describeCharacter(source, offset) : 'end of text';
  return { message: message`expected a name but found ${toWord(found)}`, expected: ['name'] };
}

interface Range {
  readonly offset: number;
  readonly end: number;
}

function checkLength(source: string, { offset, end }: Range, { segmentLength }: SyntaxLimits): void {
  if (end - offset <= segmentLength) return;
  const violation = message`a name in a datapath has at most ${segmentLength} characters`;
  throw syntaxError(source, { code: 'limit_exceeded', message: violation, offset, length: end - offset });
}

function tooManySegments(source: string, { offset, end }: Range, { pathSegments }: SyntaxLimits): Error {
  const violation = message`a datapath has at most ${pathSegments} names`;
  return syntaxError(source, { code: 'limit_exceeded', message: violation, offset, length: end - offset });
}

function missingName(source: string, offset: number, { collections = [] }: SyntaxOptions): Error {
  const found = offset < source.length ? describeCharacter(source, offset) : 'end of text';
  const hinting = isDigit(source.charCodeAt(offset)) ? collections.find(({ texts }) => texts?.digitHint) : undefined;
  const hint = hinting?.texts?.digitHint;
  const violation = message`expected a name but found ${toWord(found)}`;
  return syntaxError(source, {
    code: 'invalid_path',
    message: violation,
    offset,
    length: 1,
    expected: ['name'],
    found,
    hint,
  });
}

function missingKey(source: string, offset: number, collection: IndexedCollection): Error {
  const found = offset < source.length ? describeCharacter(source, offset) : 'end of text';
  return syntaxError(source, {
    code: 'invalid_path',
    message: textsOf(collection).missingKey(toWord(found)),
    offset,
    length: 1,
    expected: [collection.keyName ?? collection.key[0].name],
    found,
  });
}

function afterKey(source: string, offset: number, collection: IndexedCollection): Error {
  const found = describeCharacter(source, offset);
  const violation = textsOf(collection).afterKey(found);
  return syntaxError(source, { code: 'invalid_path', message: violation, offset, length: 1, found });
}
