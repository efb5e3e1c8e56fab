import { type Message, message, verbatim } from '@ats/message';

/** The code of a violation. Codes are stable, so programs may rely on them. */
export type ViolationCode = SyntaxViolationCode | CheckViolationCode;

/** Codes that the parser reports. */
export type SyntaxViolationCode =
  | 'chained_comparison'
  | 'empty_substring'
  | 'invalid_date'
  | 'invalid_duration'
  | 'invalid_escape'
  | 'invalid_number'
  | 'invalid_path'
  | 'limit_exceeded'
  | 'number_too_large'
  | 'unexpected_character'
  | 'unexpected_end'
  | 'unexpected_token'
  | 'unterminated_string'
  | 'wrong_operator';

/**
 * Codes that the check against an object model reports. The parser also reports `invalid_date` and `empty_substring`.
 */
export type CheckViolationCode =
  | 'empty_substring'
  | 'invalid_date'
  | 'no_collection'
  | 'no_past'
  | 'not_a_condition'
  | 'not_a_relation'
  | 'not_a_value'
  | 'operator_not_allowed'
  | 'repeated_list'
  | 'type_mismatch'
  | 'unknown_key'
  | 'unknown_name'
  | 'unknown_root'
  | 'unlisted_value';

/**
 * One violation in a text, with its position. `offset` and `length` are in UTF-16 units; `line` and `column` count from
 * 1.
 * Source: docs/reference/expressions.md, "Checks".
 */
export interface DatapathViolation<Code extends string = ViolationCode> {
  /** The code of the violation, for programs. */
  readonly code: Code;
  /** A sentence that says what was expected and what was found. It has neither position nor hint. */
  readonly message: Message;
  /** The offset of the faulty text in UTF-16 units. */
  readonly offset: number;
  /** The length of the faulty text in UTF-16 units. */
  readonly length: number;
  /** The number of the line in the text, from 1. */
  readonly line: number;
  /** The number of the column in the line, from 1. */
  readonly column: number;
  /** The tokens, names or types that may stand here, for programs. Not translated. Empty when they cannot be listed. */
  readonly expected: readonly string[];
  /** The text at this position. Null when it does not explain the violation, for example when a limit is exceeded. */
  readonly found: string | null;
  /** A suggestion, such as a similar name. Null when there is none. */
  readonly hint: Message | null;
  /** The line of the text, and below it a line with carets that mark the violation. */
  readonly excerpt: string;
}

/** A violation before its line, column and excerpt are computed. */
export interface ViolationDetail<Code extends string = ViolationCode> {
  /** The code of the violation, for programs. */
  readonly code: Code;
  /** A text for people that says what is wrong. */
  readonly message: Message;
  /** The offset of the faulty text in UTF-16 units. */
  readonly offset: number;
  /** The length of the faulty text in UTF-16 units. */
  readonly length: number;
  /** The tokens, names or types that may stand here, for programs. */
  readonly expected?: readonly string[];
  /** The text that was found at this position. */
  readonly found?: string;
  /** A suggestion of what to write instead. */
  readonly hint?: Message | undefined;
}

const EXCERPT_WIDTH = 100;
const EXCERPT_BEFORE = 60;

/**
 * Computes line, column and excerpt of a violation in `source`. Other languages, such as templates, can call it with
 * their own codes.
 */
export function createViolation<Code extends string = ViolationCode>(
  source: string,
  detail: ViolationDetail<Code>,
): DatapathViolation<Code> {
  const { line, lineStart } = lineOf(source, detail.offset);
  return {
    code: detail.code,
    message: detail.message,
    offset: detail.offset,
    length: detail.length,
    line,
    column: detail.offset - lineStart + 1,
    expected: detail.expected ?? [],
    found: detail.found ?? null,
    hint: detail.hint ?? null,
    excerpt: excerptOf(source, lineStart, detail),
  };
}

/** Formats a violation for people in English: `line:column: message; hint`, and below it the excerpt. */
export const formatViolation = (violation: DatapathViolation<string>): string => String(violationMessage(violation));

/**
 * Makes a function that formats violations like `formatViolation`, with texts of the caller.
 * @param textOf  returns the text of a violation without position, or undefined for the text of this library. `code`,
 *   `expected`, `found` and `message.values` say what the violation is. The hint follows only the library's own text
 * @example
 * const format = violationFormatter(({ code }) => (code === 'unknown_name' ? 'There is no such name' : undefined));
 */
export const violationFormatter =
  <Code extends string = ViolationCode>(
    textOf: (violation: DatapathViolation<Code>) => Message | string | undefined,
  ): ((violation: DatapathViolation<Code>) => string) =>
  (violation) => {
    const text = textOf(violation);
    return formatViolation(
      text === undefined
        ? violation
        : { ...violation, message: typeof text === 'string' ? verbatim(text) : text, hint: null },
    );
  };

/** Does the same as `formatViolation`, as a message that can be translated. */
export function violationMessage(violation: DatapathViolation<string>): Message {
  const text = violation.hint === null ? violation.message : message`${violation.message}; ${violation.hint}`;
  return message`${violation.line}:${violation.column}: ${text}\n${violation.excerpt}`;
}

/**
 * Base class of the errors of this library. `code` is the code of the first violation. `message` describes all
 * violations in English.
 */
export class DatapathError extends Error {
  /** The code of the first violation, for programs. */
  readonly code: ViolationCode;

  constructor(
    /** All violations, in the order of the text. */
    readonly violations: readonly [DatapathViolation, ...DatapathViolation[]],
  ) {
    super(violations.map(formatViolation).join('\n'));
    this.name = new.target.name;
    this.code = violations[0].code;
  }
}

/**
 * The error for a text that is not an expression or datapath. It has only the first violation, because later ones would
 * be guesses.
 */
export class DatapathSyntaxError extends DatapathError {
  /** The only violation of the error, with its position. */
  readonly violation: DatapathViolation;

  constructor(violation: DatapathViolation) {
    super([violation]);
    this.violation = violation;
  }
}

/**
 * The error for a text that can be parsed, but whose names or types do not match the object model. It has all
 * violations.
 */
export class DatapathCheckError extends DatapathError {}

export function syntaxError(source: string, detail: ViolationDetail): DatapathSyntaxError {
  return new DatapathSyntaxError(createViolation(source, detail));
}

/** The entries of `expected` and `found` that are English words. They are translated. All other entries are code. */
const WORDS: ReadonlyMap<string, Message> = new Map([
  ['datapath', message`datapath`],
  ['end of line', message`end of line`],
  ['end of text', message`end of text`],
  ['number', message`number`],
  ['string', message`string`],
]);

/** Returns an entry of `expected` or `found` in translatable form. */
export const toWord = (text: string): Message | string => WORDS.get(text) ?? text;

/**
 * Makes the text "expected …, found …" of a violation.
 * @param expected  at least one entry
 */
export function expectedButFound(expected: readonly string[], found: string): Message {
  const words = expected.map(toWord);
  const last = words.pop() ?? '';
  if (words.length === 0) return message`expected ${last} but found ${toWord(found)}`;
  return message`expected ${words} or ${last} but found ${toWord(found)}`;
}

function lineOf(source: string, offset: number): { line: number; lineStart: number } {
  // Most texts have one line, so this check avoids the loop below. It matters, because a text can have hundreds of
  // violations.
  if (offset === 0 || Math.max(source.lastIndexOf('\n', offset - 1), source.lastIndexOf('\r', offset - 1)) < 0)
    return { line: 1, lineStart: 0 };
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const character = source[at];
    if (character === '\n' || (character === '\r' && source[at + 1] !== '\n')) {
      line++;
      lineStart = at + 1;
    }
  }
  return { line, lineStart };
}

function excerptOf(source: string, lineStart: number, { offset, length }: ViolationDetail<string>): string {
  const lineLength = source.slice(lineStart).search(/[\r\n]/);
  const lineEnd = lineLength < 0 ? source.length : Math.max(lineStart + lineLength, offset);
  const from = offset - lineStart > EXCERPT_BEFORE ? offset - EXCERPT_BEFORE : lineStart;
  const to = Math.min(lineEnd, from + EXCERPT_WIDTH);
  const before = from > lineStart ? '…' : '';
  const after = to < lineEnd ? '…' : '';
  const indent = source.slice(from, offset).replace(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min(length, to - offset)));
  const shift = before === '' ? '' : ' ';
  return `  ${before}${source.slice(from, to)}${after}\n  ${shift}${indent}${carets}`;
}
