import { message } from '@ats/message';
import { describeCharacter, isDigit, isLetter, isWordCharacter } from './characters.js';
import { syntaxError, toWord } from './errors.js';
import { LIMITS } from './limits.js';

/**
 * The index of a form value, written `item[:section[:form]]`. Section and form instances count from 1. A missing
 * instance means the first one, and stays undefined, so that the text can be printed as it was written.
 * Source: docs/reference/datapaths.md, "Form data".
 */
export interface FormDataIndex {
  readonly item: string;
  readonly section?: number;
  readonly form?: number;
}

/** A parsed datapath, as plain read-only data. Its names have not been looked up in an object model. */
export interface Datapath {
  /** The canonical text. A datapath can be written in no other way. */
  readonly text: string;
  /** The names from the root on. `formdata` is left out when `formData` is set. */
  readonly names: readonly string[];
  readonly formData?: FormDataIndex;
}

const DOT = 0x2e;
const COLON = 0x3a;

/**
 * Parses a datapath that stands alone: a search or sort key, a layout column or a placeholder.
 * @throws {DatapathSyntaxError} when the text is not exactly one datapath; blanks are not skipped
 * Source: docs/reference/datapaths.md, "Syntax".
 */
export function parseDatapath(text: string): Datapath {
  if (text.length > LIMITS.textLength) {
    const violation = message`a datapath has at most ${LIMITS.textLength} characters`;
    throw syntaxError(text, { code: 'limit_exceeded', message: violation, offset: LIMITS.textLength, length: 1 });
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
  if (!isLetter(text.charCodeAt(0))) throw missingName(text, 0);
  const path = scanDatapath(text, 0);
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
 * path : name ( "." name )* ( ".formdata." index )?
 * Reads the longest datapath that begins at `start`. The character at `start` must be a letter or an underscore.
 */
export function scanDatapath(source: string, start: number): Datapath {
  const names: string[] = [];
  let at = start;
  for (;;) {
    const nameStart = at;
    while (isWordCharacter(source.charCodeAt(at))) at++;
    checkLength(source, nameStart, at);
    const name = source.slice(nameStart, at);
    if (names.length >= LIMITS.pathSegments) throw tooManySegments(source, nameStart, at);
    if (source.charCodeAt(at) !== DOT) {
      const text = names.length === 0 ? name : source.slice(start, at);
      names.push(name);
      return { text, names };
    }
    at++;
    if (name === 'formdata') return scanFormData(source, { start, at, names });
    if (!isLetter(source.charCodeAt(at))) throw missingName(source, at);
    names.push(name);
  }
}

interface Progress {
  readonly start: number;
  readonly at: number;
  readonly names: readonly string[];
}

/** index : seg ( ":" instance ( ":" instance )? )? */
function scanFormData(source: string, { start, at, names }: Progress): Datapath {
  let end = at;
  while (isWordCharacter(source.charCodeAt(end))) end++;
  checkLength(source, at, end);
  const item = source.slice(at, end);
  if (item === '') throw missingItem(source, at);
  let formData: FormDataIndex = { item };
  if (source.charCodeAt(end) === COLON) {
    const section = scanInstance(source, end + 1);
    end = section.end;
    formData = { item, section: section.value };
    if (source.charCodeAt(end) === COLON) {
      const form = scanInstance(source, end + 1);
      end = form.end;
      formData = { item, section: section.value, form: form.value };
    }
  }
  const next = source.charCodeAt(end);
  if (next === DOT || next === COLON) throw afterFormData(source, end);
  return { text: source.slice(start, end), names, formData };
}

function scanInstance(source: string, start: number): { value: number; end: number } {
  let end = start;
  while (isWordCharacter(source.charCodeAt(end))) end++;
  const text = source.slice(start, end);
  const value = [...text].every((character) => isDigit(character.charCodeAt(0))) ? Number(text) : NaN;
  if (text.startsWith('0') || text === '' || !(value <= LIMITS.formInstance)) {
    const violation = message`a section or form instance is a whole number that counts from 1`;
    const length = Math.max(1, end - start);
    throw syntaxError(source, {
      code: 'invalid_path',
      message: violation,
      offset: start,
      length,
      expected: ['number'],
      found: text,
    });
  }
  return { value, end };
}

function checkLength(source: string, offset: number, end: number): void {
  if (end - offset <= LIMITS.segmentLength) return;
  const violation = message`a name in a datapath has at most ${LIMITS.segmentLength} characters`;
  throw syntaxError(source, { code: 'limit_exceeded', message: violation, offset, length: end - offset });
}

function tooManySegments(source: string, offset: number, end: number): Error {
  const violation = message`a datapath has at most ${LIMITS.pathSegments} names`;
  return syntaxError(source, { code: 'limit_exceeded', message: violation, offset, length: end - offset });
}

function missingName(source: string, offset: number): Error {
  const found = offset < source.length ? describeCharacter(source, offset) : 'end of text';
  const hint = isDigit(source.charCodeAt(offset)) ? message`write a form item as ${'"formdata.<item>"'}` : undefined;
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

function missingItem(source: string, offset: number): Error {
  const found = offset < source.length ? describeCharacter(source, offset) : 'end of text';
  const violation = message`expected the id of a form item but found ${toWord(found)}`;
  return syntaxError(source, {
    code: 'invalid_path',
    message: violation,
    offset,
    length: 1,
    expected: ['form item'],
    found,
  });
}

function afterFormData(source: string, offset: number): Error {
  const found = describeCharacter(source, offset);
  const violation = message`expected the end of the datapath after the form item and its instances but found ${found}`;
  return syntaxError(source, { code: 'invalid_path', message: violation, offset, length: 1, found });
}
