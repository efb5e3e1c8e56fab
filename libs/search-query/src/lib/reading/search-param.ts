import { message } from '@ats/message';
import { ViolationReport, type Invalid, quote, type TextSlice, toInvalid } from './violation.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { parseList } from './value-list.js';

/** The operators of the parameter `search`. */
export type SearchOperator = '=' | '!=' | '=~' | '!~' | '<' | '<=' | '>' | '>=';

/** The parts of a `search` parameter. Its key is not looked up in the model yet. */
export interface SearchText {
  /** The datapath or JSON pointer as the client wrote it. */
  readonly key: TextSlice;
  /** The operator between key and values. */
  readonly operator: SearchOperator;
  /** The offset of the operator. */
  readonly operatorOffset: number;
  /** The values: at least one, and several only for a list. */
  readonly values: readonly TextSlice[];
  /** True for a list of values in braces. */
  readonly isList: boolean;
}

/**
 * Splits `<key><operator><value>`. The key ends at the first `=`, `!`, `<` or `>` outside brackets. The longest
 * operator wins. A value that begins with `{` is a list.
 * @returns the parts, or all violations
 * Source: docs/reference/search.md, "Conditions".
 */
export function parseSearch(text: string): SearchText | Invalid {
  const report = new ViolationReport('search', text);
  const parsed = readSearch(report);
  return parsed ?? toInvalid(report.violations) ?? throwMissingViolation();
}

/** Like `parseSearch`, but adds the violations to a given report. */
export function readSearch(report: ViolationReport, isStored = false): SearchText | undefined {
  const { text } = report;
  if (!hasAllowedLength(report, SEARCH_LIMITS.textLength)) return undefined;
  const keyLength = findKeyEnd(report);
  if (keyLength === undefined) return undefined;
  if (keyLength === 0)
    return report.add({
      code: 'invalid_key',
      message: message`expected a datapath or a JSON pointer`,
      offset: 0,
      length: 0,
    });
  const operator = readOperator(report, keyLength);
  if (!operator) return undefined;
  const key = { text: text.slice(0, keyLength), offset: 0, length: keyLength };
  const found = { key, operator, operatorOffset: keyLength };
  const offset = keyLength + operator.length;
  if (!isStored && text[offset] === '=' && (operator === '=' || operator === '!='))
    return doubledEqualsSign(report, offset, operator);
  if (text[offset] !== '{') {
    const length = text.length - offset;
    return { ...found, values: [{ text: text.slice(offset), offset, length }], isList: false };
  }
  const values = parseList(report, offset);
  if (!values) return undefined;
  if (operator === '=' || operator === '!=') return { ...found, values, isList: true };
  const violation = message`a list can follow only ${'='} and ${'!='}, found ${operator}`;
  return report.add({ code: 'list_not_allowed', message: violation, offset: keyLength, length: operator.length });
}

/** Reports a second equals sign. It is nearly always a mistake, because expressions write `==` for equality. */
function doubledEqualsSign(report: ViolationReport, offset: number, operator: '=' | '!='): undefined {
  const value = `{${report.text.slice(offset, offset + 20)}}`;
  return report.add({
    code: 'unknown_operator',
    message: message`found ${`${operator}=`}: a search compares with ${operator}`,
    offset,
    length: 1,
    hint: message`write ${operator}, or ${value} for a value that begins with ${'='}`,
  });
}

export function hasAllowedLength(report: ViolationReport, limit: number): boolean {
  if (report.text.length <= limit) return true;
  const violation = message`expected at most ${limit} characters, found ${report.text.length}`;
  report.add({ code: 'limit_exceeded', message: violation, offset: limit, length: report.text.length - limit });
  return false;
}

const isOperatorStart = (character: string): boolean =>
  character === '=' || character === '!' || character === '<' || character === '>';

function findKeyEnd(report: ViolationReport): number | undefined {
  const { text } = report;
  let bracket = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '[' && bracket < 0) bracket = at;
    else if (character === ']') bracket = -1;
    else if (bracket < 0 && isOperatorStart(character)) return at;
  }
  if (bracket >= 0)
    return report.add({
      code: 'unclosed_bracket',
      message: message`expected ${'"]"'}`,
      offset: text.length,
      length: 0,
    });
  const violation = message`expected one of ${'= != =~ !~ < <= > >='} after the key`;
  return report.add({ code: 'missing_operator', message: violation, offset: text.length, length: 0 });
}

function readOperator(report: ViolationReport, offset: number): SearchOperator | undefined {
  const pair = report.text.slice(offset, offset + 2);
  if (pair === '!=' || pair === '=~' || pair === '!~' || pair === '<=' || pair === '>=') return pair;
  const [first] = pair;
  if (first === '=' || first === '<' || first === '>') return first;
  return report.add({
    code: 'unknown_operator',
    message: message`expected ${'!='} or ${'!~'}, found ${quote(pair)}`,
    offset,
    length: pair.length,
  });
}

/**
 * Throws. It is called when a reading function has returned neither a result nor a violation, which is a programming
 * error.
 */
export function throwMissingViolation(): never {
  throw new Error('a reading function returned neither a result nor a violation');
}
