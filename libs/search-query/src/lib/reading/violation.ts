import { type Message, message, verbatim } from '@ats/message';

/** The code of a violation. Codes are stable, so programs may rely on them. */
export type SearchViolationCode =
  | 'empty_list'
  | 'empty_value'
  | 'invalid_direction'
  | 'invalid_expression'
  | 'invalid_escape'
  | 'invalid_key'
  | 'invalid_list'
  | 'invalid_text'
  | 'invalid_value'
  | 'limit_exceeded'
  | 'list_not_allowed'
  | 'missing_operator'
  | 'not_a_value'
  | 'not_sortable'
  | 'operator_not_allowed'
  | 'unclosed_bracket'
  | 'unclosed_list'
  | 'unknown_key'
  | 'unknown_label'
  | 'unknown_operator';

/** The name of a parameter of a collection. */
export type SearchParameter = 'search' | 'filter' | 'where' | 'sort';

/** One violation in one parameter of a request. */
export interface SearchViolation {
  /** The parameter that the violation is about. */
  readonly parameter: SearchParameter;
  /** The code of the violation, for programs. */
  readonly code: SearchViolationCode;
  /** A sentence that says what was expected and what was found. It has neither position nor hint. */
  readonly message: Message;
  /** The parameter as the client sent it. Empty when the violation is that there are too many parameters. */
  readonly text: string;
  /** The position in `text`, in UTF-16 units. */
  readonly offset: number;
  /** The length of the faulty text in UTF-16 units. */
  readonly length: number;
  /** A suggestion of what to write instead. Null when there is none. */
  readonly hint: Message | null;
  /** The complete text for people. Absent when message, position and hint say everything. */
  readonly formatted?: Message;
}

/**
 * A part of a parameter. `text` is the part after unescaping. `offset` and `length` are its position in the parameter,
 * in UTF-16 units.
 */
export interface TextSlice {
  /** The text of the part, after unescaping. */
  readonly text: string;
  /** The offset of the part in the parameter, in UTF-16 units. */
  readonly offset: number;
  /** The length of the part in the parameter, in UTF-16 units. */
  readonly length: number;
}

/** The result of a reading function that found violations. Reading functions never throw because of a text. */
export interface Invalid {
  /** All violations, at least one. */
  readonly violations: readonly [SearchViolation, ...SearchViolation[]];
}

export interface ViolationDetail {
  readonly code: SearchViolationCode;
  readonly message: Message;
  readonly offset: number;
  readonly length: number;
  readonly hint?: Message | undefined;
  readonly formatted?: Message;
}

/** Collects the violations of one parameter. */
export class ViolationReport {
  readonly #violations: SearchViolation[] = [];

  constructor(
    readonly parameter: SearchParameter,
    readonly text: string,
  ) {}

  /** Adds a violation. Returns undefined, so that a reading function can end with `return report.add(…)`. */
  add({ hint, ...detail }: ViolationDetail): undefined {
    this.#violations.push({ parameter: this.parameter, text: this.text, ...detail, hint: hint ?? null });
    return undefined;
  }

  get violations(): readonly SearchViolation[] {
    return this.#violations;
  }
}

/** Returns the violations as a result, or undefined when there are none. */
export function toInvalid(violations: readonly SearchViolation[]): Invalid | undefined {
  const [first, ...others] = violations;
  return first && { violations: [first, ...others] };
}

const EXCERPT_BEFORE = 40;
const EXCERPT_WIDTH = 80;
const QUOTED_WIDTH = 40;

/** Quotes a text of a client in a message. A long text is shortened. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_WIDTH + 2)];
  return characters.length > QUOTED_WIDTH ? `"${characters.slice(0, QUOTED_WIDTH).join('')}…"` : `"${text}"`;
}

/**
 * Formats a violation for people in English: message, position and parameter, hint. Positions count from 1.
 * Example: `expected a whole number, found "1.0" (at 10 of "/user/id=1.0")`
 */
export const formatSearchViolation = (violation: SearchViolation): string => String(searchViolationMessage(violation));

/**
 * Makes a function that formats violations like `formatSearchViolation`, with texts of the caller.
 * @param textOf  returns the text of a violation without position, or undefined for the text of this library. `code`,
 *   `parameter` and `message.values` say what the violation is. The hint follows only the library's own text
 * @example
 * const format = searchViolationFormatter(({ code }) => (code === 'unknown_key' ? 'There is no such key' : undefined));
 */
export const searchViolationFormatter =
  (textOf: (violation: SearchViolation) => Message | string | undefined): ((violation: SearchViolation) => string) =>
  (violation) => {
    const text = textOf(violation);
    if (text === undefined) return formatSearchViolation(violation);
    const { formatted: _, ...placed } = violation;
    return formatSearchViolation({ ...placed, message: typeof text === 'string' ? verbatim(text) : text, hint: null });
  };

/** Does the same as `formatSearchViolation`, as a message that can be translated. */
export function searchViolationMessage({ message: what, text, offset, hint, formatted }: SearchViolation): Message {
  if (formatted !== undefined) return formatted;
  const placed = text === '' ? what : message`${what} (at ${offset + 1} of "${excerptOf(text, offset)}")`;
  return hint === null ? placed : message`${placed}; ${hint}`;
}

function excerptOf(text: string, offset: number): string {
  const from = offset > EXCERPT_BEFORE ? startOfCharacter(text, offset - EXCERPT_BEFORE) : 0;
  const to = startOfCharacter(text, from + EXCERPT_WIDTH);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/**
 * Returns `at`, or the end of a surrogate pair when `at` is between its halves. So an excerpt never splits a character.
 */
const startOfCharacter = (text: string, at: number): number =>
  /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) ? at + 1 : at;
