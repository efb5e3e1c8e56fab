import {
  type ConstantDate,
  DatapathSyntaxError,
  type DateClock,
  evaluateDate,
  type SyntaxOptions,
  parseDay,
  parseMoment,
  unlistedValue,
  type ValueType,
} from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type Operand, type MomentRange } from '../model/condition.js';
import { type ViolationDetail, type ViolationReport, quote, type TextSlice } from './violation.js';
import { SEARCH_LIMITS } from '../model/limits.js';

const DAY_MS = 86_400_000;

/** Matches the null character and lone surrogates, which PostgreSQL cannot store. */
const NOT_TEXT = /[\0\p{Surrogate}]/u;

/**
 * The character that stands for bytes that are not UTF-8. A search with it would find other texts than the client
 * meant.
 */
const REPLACEMENT = '\ufffd';

/** Checks whether a text can be searched, and reports a violation otherwise. */
export function isSearchableText(report: ViolationReport, { text, offset, length }: TextSlice): boolean {
  const violation = findTextViolation(text);
  if (violation) report.add({ ...violation, offset, length });
  return !violation;
}

/** Returns what is wrong with a text that cannot be searched. Undefined for all other texts. */
export function findTextViolation(text: string): Pick<ViolationDetail, 'code' | 'message'> | undefined {
  if (NOT_TEXT.test(text))
    return { code: 'invalid_text', message: message`a text cannot contain null characters or lone surrogates` };
  if (text.includes(REPLACEMENT))
    return { code: 'invalid_text', message: message`expected UTF-8, found other bytes, which were read as U+FFFD` };
  if (text.length <= SEARCH_LIMITS.valueLength) return undefined;
  return {
    code: 'limit_exceeded',
    message: message`expected at most ${SEARCH_LIMITS.valueLength} characters, found ${text.length}`,
  };
}

/** Describes the values that a key accepts. */
export interface AcceptedValues {
  readonly type: ValueType;
  /** All allowed values when the model limits them, and the key as the client wrote it, for the violation. */
  readonly closed?: { readonly values: readonly string[]; readonly of: string } | undefined;
  readonly clock?: DateClock | undefined;
  readonly syntax: SyntaxOptions;
}

/**
 * Reads values of one type. Reports the violations of a list together. Values are neither trimmed nor converted to
 * another type. Source: docs/reference/search.md, "Operators".
 */
export function parseValues(
  report: ViolationReport,
  values: readonly TextSlice[],
  { type, closed, clock, syntax }: AcceptedValues,
): Operand | undefined {
  const read = readDates(report, clock, syntax);
  switch (type) {
    case 'text':
    case 'rich_text':
      return toOperand(report, values, {
        read: ({ text }) => (closed && !closed.values.includes(text) ? undefined : text),
        expected: TEXT,
        ...(closed && { refuse: ({ text }) => unlistedValue(text, closed.values, closed.of) }),
        make: (texts) => ({ kind: 'text', values: texts }),
      });
    case 'integer':
      return toOperand(report, values, {
        read: readInteger,
        expected: INTEGER,
        make: (numbers) => ({ kind: 'integer', values: numbers }),
      });
    case 'decimal':
      return toOperand(report, values, {
        read: readDecimal,
        expected: DECIMAL,
        make: (numbers) => ({ kind: 'decimal', values: numbers }),
      });
    case 'boolean':
      return toOperand(report, values, {
        read: readBoolean,
        expected: BOOLEAN,
        make: (truths) => ({ kind: 'boolean', values: truths }),
      });
    case 'date':
      return toOperand(report, values, {
        read: (value) => (isComputed(value, clock) ? read(value)?.day : readDate(value)),
        expected: DATE,
        make: (days) => ({ kind: 'date', values: days }),
      });
    case 'datetime':
      return toOperand(report, values, {
        read: (value) => (isComputed(value, clock) ? read(value) : readMomentRange(value)),
        expected: MOMENT,
        make: (ranges) => ({ kind: 'datetime', values: ranges.map(({ from, to }) => ({ from, to })) }),
      });
  }
}

/** True for a value that must be computed, such as `DATE("today")`. */
const isComputed = ({ text }: TextSlice, clock: DateClock | undefined): boolean =>
  clock !== undefined && /^\s*DATE\s*\(/i.test(text);

/** Returns a function that evaluates constant dates. It reports the first violation of each. */
function readDates(
  report: ViolationReport,
  clock: DateClock | undefined,
  syntax: SyntaxOptions,
): (value: TextSlice) => ConstantDate | undefined {
  return ({ text, offset, length }) => {
    try {
      return clock && evaluateDate(withPlus(text), clock, syntax);
    } catch (error) {
      if (!(error instanceof DatapathSyntaxError)) throw error;
      const { message: violation, hint } = error.violation;
      return report.add({ code: 'invalid_value', message: violation, offset, length, hint: hint ?? undefined });
    }
  };
}

/**
 * Restores plus signs that a client has not escaped. They arrive as blanks. A blank is never valid before the offset of
 * a timestamp and before `DTDURATION`, so it can be replaced there.
 */
const withPlus = (text: string): string =>
  text
    .replaceAll(/(\d[Tt ]\d[\d:.,]*) (?=\d\d(?::?\d\d)?(?:$|["']))/g, '$1+')
    .replaceAll(/\)\s+(?=DTDURATION\b)/gi, ') + ');

const TEXT = message`a text`;
const INTEGER = message`a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const DECIMAL = message`a decimal number with at most ${SEARCH_LIMITS.decimalDigits} digits`;
const BOOLEAN = message`${'true'} or ${'false'}`;
const DATE = message`a date as ${'YYYY-MM-DD'} or ${'DATE("today")'}`;
const MOMENT = message`a timestamp as ${'YYYY-MM-DDThh:mm:ssZ'}, or a date as ${'YYYY-MM-DD'} or ${'DATE("today")'}`;

interface ValueFormat<T> {
  readonly read: (value: TextSlice) => T | undefined;
  readonly expected: Message;
  /** Makes the violation for a value that `read` refuses. Defaults to the text "expected …, found …". */
  readonly refuse?: (value: TextSlice) => { readonly message: Message; readonly hint?: Message };
  readonly make: (values: readonly T[]) => Operand;
}

function toOperand<T>(
  report: ViolationReport,
  values: readonly TextSlice[],
  { read, expected, refuse, make }: ValueFormat<T>,
): Operand | undefined {
  const parsed: T[] = [];
  let violations = 0;
  for (const value of values) {
    const isSearchable = isSearchableText(report, value);
    const reported = report.violations.length;
    const result = isSearchable ? read(value) : undefined;
    if (result !== undefined) parsed.push(result);
    else if (++violations > SEARCH_LIMITS.listViolations) return undefined;
    else if (isSearchable && report.violations.length === reported) {
      const { text, offset, length } = value;
      const { message: violation, hint } = refuse?.(value) ?? {
        message: message`expected ${expected}, found ${quote(text)}`,
      };
      report.add({ code: 'invalid_value', message: violation, offset, length, hint });
    }
  }
  return violations > 0 ? undefined : make(parsed);
}

function readInteger({ text }: TextSlice): string | undefined {
  return /^-?\d{1,400}$/.test(text) && Number.isSafeInteger(Number(text)) ? String(Number(text)) : undefined;
}

function readDecimal({ text }: TextSlice): string | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits.length > SEARCH_LIMITS.decimalDigits) return undefined;
  return `${sign}${whole}${fraction && `.${fraction}`}`;
}

function readBoolean({ text }: TextSlice): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

const readDate = ({ text }: TextSlice): string | undefined => (parseDay(text) === undefined ? undefined : text);

/** Reads a range of time. A date stands for its whole UTC day, and a timestamp for its millisecond. */
function readMomentRange({ text }: TextSlice): MomentRange | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  const moment = parseMoment(withPlus(text));
  return moment === undefined ? undefined : { from: moment, to: moment + 1 };
}
