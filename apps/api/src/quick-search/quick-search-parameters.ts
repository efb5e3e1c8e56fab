import { type ViolationCode } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';

const MIN_LENGTH = 2;
const MAX_LENGTH = 200;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** The query parameters of the quick search. Source: docs/reference/search.md, "Quick search". */
export const QUICK_SEARCH_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'q',
    description: `The text to look for: names, titles, references and e-mail addresses, or beginnings of them, in any
order. Leading and trailing spaces are ignored.`,
    schema: { type: 'string', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
    required: true,
    example: 'ada',
  },
  {
    name: 'limit',
    description: 'Maximum number of results in each group.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
];

export interface QuickSearchRequest {
  readonly text: string;
  readonly limit: number;
}

/** Reads the query of the quick search. @throws {Problem} 400 with the violations of all parameters */
export function readQuickSearch(query: URLSearchParams): QuickSearchRequest {
  const resource = 'quick_search';
  const violations: ProblemDetail[] = unknownParameters(
    resource,
    query,
    QUICK_SEARCH_PARAMETERS.map(({ name }) => name),
  );
  const refuse = (parameter: string, info: Message, code: ViolationCode = 'invalid'): void =>
    void violations.push({ resource, path: '', parameter, code, info });
  const text = readText(query, refuse);
  const limit = readLimit(query, refuse);
  if (violations.length > 0) throw invalidQuery(violations);
  return { text, limit };
}

type Refuse = (parameter: string, info: Message, code?: ViolationCode) => void;

function readText(query: URLSearchParams, refuse: Refuse): string {
  const given = findOnly(query, 'q');
  if (given === undefined) refuse('q', message`expected the text to look for`, 'missing');
  if (typeof given === 'object') refuse('q', given.message);
  if (typeof given !== 'string') return '';
  const text = given.trim();
  const { length } = [...text];
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    refuse('q', message`expected ${MIN_LENGTH} to ${MAX_LENGTH} characters, found ${length}: ${quote(text)}`);
  if (text.includes('\ufffd'))
    refuse('q', message`expected UTF-8, found other bytes, which were read as U+FFFD: ${quote(text)}`);
  if (text.includes('\u0000')) refuse('q', message`expected a text without null characters, found ${quote(text)}`);
  return text;
}

function readLimit(query: URLSearchParams, refuse: Refuse): number {
  const given = findOnly(query, 'limit');
  if (given === undefined) return DEFAULT_LIMIT;
  if (typeof given === 'object') {
    refuse('limit', given.message);
    return DEFAULT_LIMIT;
  }
  const limit = /^[1-9]\d{0,2}$/.test(given) ? Number(given) : NaN;
  if (!(limit <= MAX_LIMIT))
    refuse('limit', message`expected an integer from 1 to ${MAX_LIMIT}, found ${quote(given)}`);
  return limit;
}
