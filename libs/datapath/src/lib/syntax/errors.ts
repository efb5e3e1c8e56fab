import { type Message, message } from '@ats/message';

/** What is wrong, for programs. Codes are stable: clients may branch on them. */
export type FaultCode = SyntaxFaultCode | CheckFaultCode;

/** Faults of the text alone. */
export type SyntaxFaultCode =
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

/** Faults of names and types against an object model. `invalid_date` and `empty_substring` occur in both groups. */
export type CheckFaultCode =
  | 'empty_substring'
  | 'invalid_date'
  | 'no_form_data'
  | 'not_a_condition'
  | 'not_a_relation'
  | 'not_a_value'
  | 'operator_not_allowed'
  | 'type_mismatch'
  | 'unknown_form_item'
  | 'unknown_name'
  | 'unknown_root';

/** One fault of a text. Offsets and lengths are UTF-16 units; line and column count from 1. */
export interface Fault<Code extends string = FaultCode> {
  readonly code: Code;
  /** What was expected, and what was found instead; one sentence without position or hint. */
  readonly message: Message;
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
  /** What could have stood here, for programs: the same in every language; empty when that is no list of things. */
  readonly expected: readonly string[];
  /** What stands there, as written; null when that says nothing, as with a limit. */
  readonly found: string | null;
  /** What to write instead, such as a name that differs in a letter; null when there is no good guess. */
  readonly hint: Message | null;
  /** The line concerned and, below it, carets under the place. */
  readonly excerpt: string;
}

/** A fault before its place is worked out: lines and excerpts are made only when something is wrong. */
export interface FaultDetail<Code extends string = FaultCode> {
  readonly code: Code;
  readonly message: Message;
  readonly offset: number;
  readonly length: number;
  readonly expected?: readonly string[];
  readonly found?: string;
  readonly hint?: Message | undefined;
}

const EXCERPT_WIDTH = 100;
const EXCERPT_BEFORE = 60;

/** Works out line, column and excerpt of a fault in `source`; languages around this one have codes of their own. */
export function createFault<Code extends string = FaultCode>(source: string, detail: FaultDetail<Code>): Fault<Code> {
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

/** `line:column: message; hint`, then the excerpt: the text a person reads. */
export function formatFault(fault: Fault<string>): Message {
  const said = fault.hint === null ? fault.message : message`${fault.message}; ${fault.hint}`;
  return message`${fault.line}:${fault.column}: ${said}\n${fault.excerpt}`;
}

/** Any fault of a datapath or an expression. `code` is that of the first fault, `message` describes them all, in English. */
export class DatapathError extends Error {
  readonly code: FaultCode;

  constructor(
    /** In the order of the text; never empty. */
    readonly faults: readonly [Fault, ...Fault[]],
  ) {
    super(faults.map(formatFault).join('\n'));
    this.name = new.target.name;
    this.code = faults[0].code;
  }
}

/** The text is not an expression or datapath. Carries the first fault only: those after it would be guesses. */
export class DatapathSyntaxError extends DatapathError {
  constructor(readonly fault: Fault) {
    super([fault]);
  }
}

/** The text is well-formed, but names or types do not fit the object model. Carries all faults. */
export class DatapathCheckError extends DatapathError {}

/** A syntax error at a place of `source`. */
export function syntaxError(source: string, detail: FaultDetail): DatapathSyntaxError {
  return new DatapathSyntaxError(createFault(source, detail));
}

function lineOf(source: string, offset: number): { line: number; lineStart: number } {
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

function excerptOf(source: string, lineStart: number, { offset, length }: FaultDetail<string>): string {
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
