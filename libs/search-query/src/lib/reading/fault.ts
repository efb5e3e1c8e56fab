import { type Message, message } from '@ats/message';

/** What is wrong, for programs. Codes are stable. */
export type SearchFaultCode =
  | 'empty_list'
  | 'empty_value'
  | 'invalid_direction'
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

/** Which parameter of a collection a text came in. */
export type SearchParameter = 'search' | 'filter' | 'sort';

/** One fault of one parameter. */
export interface SearchFault {
  readonly parameter: SearchParameter;
  readonly code: SearchFaultCode;
  /** What was expected and what was found; without position or hint. */
  readonly message: Message;
  /** The parameter as given; empty when the fault is in their number. */
  readonly text: string;
  /** UTF-16 units from the beginning of `text`. */
  readonly offset: number;
  readonly length: number;
  /** What to write instead; null when there is no good guess. */
  readonly hint: Message | null;
}

/**
 * A part of a parameter. `text` is the part after unescaping; `offset` and `length` are its place in the parameter, in
 * UTF-16 units.
 */
export interface TextSlice {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
}

/** One or more faults: what a reading function returns instead of its result. It never throws because of a text. */
export interface Faulty {
  readonly faults: readonly [SearchFault, ...SearchFault[]];
}

export interface FaultDetail {
  readonly code: SearchFaultCode;
  readonly message: Message;
  readonly offset: number;
  readonly length: number;
  readonly hint?: Message | undefined;
}

/** Gathers the faults of one parameter. */
export class FaultReport {
  readonly #faults: SearchFault[] = [];

  constructor(
    readonly parameter: SearchParameter,
    readonly text: string,
  ) {}

  /** @returns undefined, so that `return report.add(…)` ends a reading without a result */
  add({ hint, ...detail }: FaultDetail): undefined {
    this.#faults.push({ parameter: this.parameter, text: this.text, ...detail, hint: hint ?? null });
    return undefined;
  }

  get faults(): readonly SearchFault[] {
    return this.#faults;
  }
}

/** The faults as a result, when there are any. */
export function toFaulty(faults: readonly SearchFault[]): Faulty | undefined {
  const [first, ...others] = faults;
  return first && { faults: [first, ...others] };
}

const BEFORE = 40;
const WIDTH = 80;
const QUOTED_WIDTH = 40;

/** A piece of a client's text for a message, cut when it is long. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_WIDTH + 2)];
  return characters.length > QUOTED_WIDTH ? `"${characters.slice(0, QUOTED_WIDTH).join('')}…"` : `"${text}"`;
}

/**
 * The text a person reads: message, place and parameter as given, hint. Places count from 1.
 * `expected a whole number, found "1.0" (at 10 of "/user/id=1.0")`
 */
export function formatSearchFault({ message: what, text, offset, hint }: SearchFault): Message {
  const placed = text === '' ? what : message`${what} (at ${offset + 1} of "${excerptOf(text, offset)}")`;
  return hint === null ? placed : message`${placed}; ${hint}`;
}

function excerptOf(text: string, offset: number): string {
  const from = offset > BEFORE ? startOfCharacter(text, offset - BEFORE) : 0;
  const to = startOfCharacter(text, from + WIDTH);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** Never between the halves of a surrogate pair. */
const startOfCharacter = (text: string, at: number): number =>
  /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) ? at + 1 : at;
