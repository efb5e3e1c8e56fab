import { followedResources, type ViolationCode } from '@ats/domain';
import { parseMoment } from '@ats/datapath';
import { message, type Message } from '@ats/message';
import { DEFAULT_PER_PAGE, findOnly, quote } from '@ats/pagination';
import { readInteger, readWait, WAIT_PARAMETER } from '../feeds/wait-parameter.js';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { type Bookmark, type ChangeTokens } from './change-tokens.js';

/** Maximum number of changes on a page. It is higher than the maximum of items on a page, because changes are small. */
const MAX_CHANGES = 10_000;

const names = (): readonly string[] => followedResources().map(({ name }) => name);

/** The query parameters of the changes feed. Source: docs/reference/changes.md. */
export const CHANGES_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'since',
    description: `Where to begin: \`next\` of the answer before, \`now\`, or a time. \`now\` gives an empty list and a
token. A client that begins with a time may get only the last change of each item.`,
    schema: { type: 'string' },
    required: true,
    example: 'now',
  },
  {
    name: 'resources',
    description: `Names of resources, separated by commas: ${names().join(', ')}. Defaults to all that the credential
may read. A token names the resources of its request: send the same \`resources\` with it, or none.`,
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    description: 'Maximum number of changes.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_CHANGES, default: DEFAULT_PER_PAGE },
  },
  WAIT_PARAMETER,
];

export interface ChangesQuery {
  readonly since: 'now' | Date | Bookmark;
  /**
   * Names of the requested resources in alphabetical order. Undefined means all resources that the credential may read.
   */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
  readonly waitSeconds: number;
}

type Refuse = (parameter: string, info: Message, code?: ViolationCode) => undefined;

/** Reads the query of the feed. @throws {Problem} 400 with the violations of all parameters */
export function readChangesQuery(query: URLSearchParams, tokens: ChangeTokens): ChangesQuery {
  const resource = 'changes';
  const violations: ProblemDetail[] = unknownParameters(
    resource,
    query,
    CHANGES_PARAMETERS.map(({ name }) => name),
  );
  const refuse: Refuse = (parameter, info, code = 'invalid') =>
    void violations.push({ resource, path: '', parameter, code, info });
  const since = readSince(query, tokens, refuse);
  const resources = readResources(query, refuse);
  if (since !== undefined && isBookmark(since) && resources && String(since.resources) !== String(resources))
    refuse(
      'resources',
      message`expected the resources of the token, ${since.resources}: \
send the same list, or leave the parameter out`,
    );
  const bounds = { least: 1, most: MAX_CHANGES, otherwise: DEFAULT_PER_PAGE };
  const limit = readInteger(query, 'limit', bounds, (info) => refuse('limit', info));
  const waitSeconds = readWait(query, (info) => refuse('wait', info));
  if (violations.length > 0 || since === undefined) throw invalidQuery(violations);
  return { since, resources, limit, waitSeconds };
}

export const isBookmark = (since: ChangesQuery['since']): since is Bookmark =>
  typeof since === 'object' && !(since instanceof Date);

/** Reads a parameter that may occur at most once. */
function readOne(query: URLSearchParams, name: string, refuse: Refuse): string | undefined {
  const given = findOnly(query, name);
  return typeof given === 'object' ? refuse(name, given.message) : given;
}

function readSince(query: URLSearchParams, tokens: ChangeTokens, refuse: Refuse): ChangesQuery['since'] | undefined {
  if (!query.has('since'))
    return refuse(
      'since',
      message`expected the token of an earlier answer, ${'now'}, or a time with a time zone`,
      'missing',
    );
  const given = readOne(query, 'since', refuse);
  if (given === undefined || given === 'now') return given;
  const moment = parseMoment(given);
  if (moment !== undefined) return new Date(moment);
  const found = quote(given);
  return (
    tokens.open(given) ??
    refuse(
      'since',
      message`expected the token of an earlier answer, ${'now'}, or a time with a time zone, found ${found}`,
    )
  );
}

function readResources(query: URLSearchParams, refuse: Refuse): readonly string[] | undefined {
  const given = readOne(query, 'resources', refuse);
  if (given === undefined) return undefined;
  const wanted = [...new Set(given.split(','))].sort();
  const unknown = wanted.find((name) => !names().includes(name));
  if (unknown === undefined) return wanted;
  return refuse(
    'resources',
    message`expected names of resources, separated by commas, found ${quote(unknown)}; the feed has ${names()}`,
  );
}
