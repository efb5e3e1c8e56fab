import { message } from '@ats/message';
import { type Comparison, type PositiveOperator } from '../model/condition.js';
import { type Invalid, ViolationReport, toInvalid } from './violation.js';
import { readSearch, type SearchOperator, type SearchText, throwMissingViolation } from './search-param.js';
import { resolveKey, type ResolvedKey } from './search-key.js';
import { type SearchSubject } from '../model/search-model.js';
import { isSearchableText, parseValues } from './values.js';

/**
 * Reads one `search` parameter and checks it against the model and representation of a collection.
 * @returns the condition, or all violations of the parameter. No text makes it throw
 * @throws {ModelError} when the model contradicts itself, see `checkModel` of `@ats/datapath`
 * @throws {DatapathSyntaxError} when the representation of the subject has a text that is no datapath
 * @throws {DatapathCheckError} when the representation of the subject names what the model does not have
 * Source: docs/reference/search.md, "Conditions" and "Operators".
 */
export function readSearchCondition(subject: SearchSubject, text: string): Comparison | Invalid {
  const report = new ViolationReport('search', text);
  return readCondition(subject, report) ?? toInvalid(report.violations) ?? throwMissingViolation();
}

/** Like `readSearchCondition`, but adds the violations to a given report. */
export function readCondition(subject: SearchSubject, report: ViolationReport): Comparison | undefined {
  const search = readSearch(report, subject.isStored);
  if (!search) return undefined;
  const key = resolveKey(subject, report, search.key);
  if (!key || !isOperatorAllowed(report, search, key)) return undefined;
  const { operator, isNegated } = splitNegation(search.operator);
  const comparison = { kind: 'comparison', path: key.path, operator, isNegated } as const;
  if (operator === '=~') return readContains(report, search, comparison);
  const filled = search.values.filter(({ text }) => text !== '');
  const matchesEmpty = operator === '=' && filled.length < search.values.length;
  if (!matchesEmpty && filled.length === 0) return missingValue(report, search);
  const { end } = key.path;
  if (end.kind === 'object' && filled.length > 0) return onlyEmpty(report, search, key);
  const type = end.kind === 'object' ? 'text' : end.type;
  const closed = operator === '=' && key.values ? { values: key.values, of: search.key.text } : undefined;
  const operand = parseValues(report, filled, { type, closed, clock: subject.clock, syntax: subject.model });
  return operand && { ...comparison, operand, matchesEmpty };
}

function splitNegation(operator: SearchOperator): { readonly operator: PositiveOperator; readonly isNegated: boolean } {
  if (operator === '!=') return { operator: '=', isNegated: true };
  if (operator === '!~') return { operator: '=~', isNegated: true };
  return { operator, isNegated: false };
}

type ComparisonStart = Pick<Comparison, 'kind' | 'path' | 'operator' | 'isNegated'>;

function readContains(
  report: ViolationReport,
  search: SearchText,
  comparison: ComparisonStart,
): Comparison | undefined {
  const [value] = search.values;
  if (!value || value.text === '') return missingValue(report, search);
  if (!isSearchableText(report, value)) return undefined;
  return { ...comparison, operand: { kind: 'text', values: [value.text] }, matchesEmpty: false };
}

function isOperatorAllowed(
  report: ViolationReport,
  { operator, operatorOffset }: SearchText,
  { path, isReference }: ResolvedKey,
): boolean {
  if (operator === '=' || operator === '!=') return true;
  const isReferred = isReference || path.end.kind === 'object';
  if (!isReferred && path.end.type !== 'boolean') return true;
  const violation = isReferred
    ? message`a reference can be compared only with ${'='} and ${'!='}, found ${operator}`
    : message`a boolean can be compared only with ${'='} and ${'!='}, found ${operator}`;
  report.add({ code: 'operator_not_allowed', message: violation, offset: operatorOffset, length: operator.length });
  return false;
}

function missingValue(report: ViolationReport, { operator, values: [value] }: SearchText): undefined {
  const offset = value?.offset ?? 0;
  return report.add({ code: 'empty_value', message: message`expected a value after ${operator}`, offset, length: 0 });
}

function onlyEmpty(report: ViolationReport, { values: [value], key }: SearchText, { path }: ResolvedKey): undefined {
  const violation = message`${path.datapath} has no id to compare: it can be compared only with an empty value`;
  const hint = message`name an attribute below ${key.text}`;
  return report.add({
    code: 'not_a_value',
    message: violation,
    offset: value?.offset ?? 0,
    length: value?.length ?? 0,
    hint,
  });
}
