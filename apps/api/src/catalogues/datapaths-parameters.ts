import { datapathRoots, isDatapathRoot } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { DEFAULT_PER_PAGE, findOnly, MAX_PER_PAGE, parsePageParameters, quote } from '@ats/pagination';
import { invalidQuery, parameterProblem, unknownParameters } from '../request/query.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';

const RESOURCE = 'datapaths';
const MAX_PREFIX = 1_100;
const MAX_TEXT = 100;

/** The query parameters of the catalogue of datapaths. Source: docs/reference/datapaths.md, "Catalogue". */
export const DATAPATHS_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'root',
    description: 'The object type with which the datapaths begin. Defaults to all object types.',
    schema: { type: 'string', enum: datapathRoots() },
  },
  {
    name: 'prefix',
    description: `The beginning of the datapaths, such as \`application.user\`. With \`root\`, the name of the root may be left
out. The list shows one name after the prefix: expand a relation by naming it here.`,
    schema: { type: 'string', maxLength: MAX_PREFIX },
  },
  {
    name: 'q',
    description: `A text that the datapath or its label contains, regardless of case. The list then has datapaths through up to
three relations after the prefix, too, but none that passes an object type twice.`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT },
  },
  { name: 'page', description: 'Page number, from 1.', schema: { type: 'integer', minimum: 1, default: 1 } },
  {
    name: 'per_page',
    description: 'Number of datapaths per page.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
  },
];

export interface DatapathsRequest {
  readonly roots: readonly string[];
  /** The names of the typed datapath after its root. The last name may be incomplete or empty. */
  readonly prefix: readonly string[];
  readonly text: string | undefined;
  readonly page: number;
  readonly perPage: number;
}

/** Reads the query of the catalogue. @throws {Problem} 400 with the violations of all parameters */
export function readDatapathsRequest(query: URLSearchParams): DatapathsRequest {
  const violations: ProblemDetail[] = unknownParameters(
    RESOURCE,
    query,
    DATAPATHS_PARAMETERS.map(({ name }) => name),
  );
  const refuse = (parameter: string, info: Message): void =>
    void violations.push({ resource: RESOURCE, path: '', parameter, code: 'invalid', info });
  const read = (name: string, maximum: number): string | undefined => {
    const given = findOnly(query, name);
    if (typeof given === 'object') refuse(name, given.message);
    if (typeof given !== 'string') return undefined;
    if (given.length > maximum) refuse(name, message`expected at most ${maximum} characters, found ${given.length}`);
    return given;
  };
  const root = read('root', MAX_TEXT);
  const names = (read('prefix', MAX_PREFIX) ?? '').split('.');
  const text = read('q', MAX_TEXT);
  const paging = parsePageParameters(query);
  if (paging.violations)
    violations.push(...paging.violations.map((violation) => parameterProblem(RESOURCE, violation)));
  if (root !== undefined && !isDatapathRoot(root))
    refuse('root', message`expected one of ${datapathRoots()}, found ${quote(root)}`);
  if (violations.length > 0 || paging.violations) throw invalidQuery(violations);
  const [first = ''] = names;
  const page = { text: text === '' ? undefined : text, page: paging.page, perPage: paging.perPage };
  if (root !== undefined) return { ...page, roots: [root], prefix: first === root ? names.slice(1) : names };
  if (isDatapathRoot(first)) return { ...page, roots: [first], prefix: names.slice(1) };
  return { ...page, roots: first === '' ? datapathRoots() : [], prefix: [] };
}
