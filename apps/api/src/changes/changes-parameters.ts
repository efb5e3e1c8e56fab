import { followedResources } from '@ats/domain';
import { parseMoment } from '@ats/datapath';
import { message, type Message } from '@ats/message';
import { DEFAULT_PER_PAGE, findOnly, MAX_PER_PAGE, quote } from '@ats/pagination';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { type Bookmark, type ChangeTokens } from './change-tokens.js';

/** Longest time that a request may wait for a change, in seconds. */
export const MAX_WAIT_SECONDS = 60;

const names = (): readonly string[] => followedResources().map(({ name }) => name);

/** The query parameters of the changes feed. Source: docs/reference/changes.md. */
export const CHANGES_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'since',
    description: `Where to begin: \`next\` of the answer before, \`now\`, or a time. \`now\` gives an empty list and a
token. A client that begins with a time may get only the last change of each item.`,
    schema: { type: 'string' },
    required: true,
  },
  {
    name: 'resources',
    description: `Names of resources, separated by commas: ${names().join(', ')}. Defaults to all that the credential
may read. A token continues with the resources of its chain, so \`resources\` may only name the same again.`,
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    description: 'Maximum number of changes.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
  },
  {
    name: 'wait',
    description: 'Seconds to wait for a change when there is none. The answer is sent as soon as there is one.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
  },
];

export interface ChangesQuery {
  readonly since: 'now' | Date | Bookmark;
  /** Names of resources in alphabetical order. Undefined for all that the credential may read. */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
  readonly waitSeconds: number;
}

type Refuse = (parameter: string, info: Message, code?: string) => undefined;

/** @throws {Problem} 400 with the violations of all parameters */
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
    refuse('resources', message`expected the resources of the token (${since.resources}), or no such parameter`);
  const limit = readInteger(query, 'limit', { least: 1, most: MAX_PER_PAGE, otherwise: DEFAULT_PER_PAGE }, refuse);
  const waitSeconds = readInteger(query, 'wait', { least: 0, most: MAX_WAIT_SECONDS, otherwise: 0 }, refuse);
  if (violations.length > 0 || since === undefined) throw invalidQuery(violations);
  return { since, resources, limit, waitSeconds };
}

export const isBookmark = (since: ChangesQuery['since']): since is Bookmark =>
  typeof since === 'object' && !(since instanceof Date);

/** Reads a parameter that may be given once. */
function readOne(query: URLSearchParams, name: string, refuse: Refuse): string | undefined {
  const given = findOnly(query, name);
  return typeof given === 'object' ? refuse(name, given.info) : given;
}

function readSince(query: URLSearchParams, tokens: ChangeTokens, refuse: Refuse): ChangesQuery['since'] | undefined {
  if (!query.has('since'))
    return refuse('since', message`expected a token, ${'now'} or a time with a time zone`, 'missing');
  const given = readOne(query, 'since', refuse);
  if (given === undefined || given === 'now') return given;
  const moment = parseMoment(given);
  if (moment !== undefined) return new Date(moment);
  const found = quote(given);
  return (
    tokens.open(given) ??
    refuse('since', message`expected a token of an answer, ${'now'} or a time with a time zone, found ${found}`)
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

function readInteger(
  query: URLSearchParams,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
  refuse: Refuse,
): number {
  const given = readOne(query, name, refuse);
  if (given === undefined) return otherwise;
  const value = /^(?:0|[1-9]\d{0,3})$/.test(given) ? Number(given) : NaN;
  if (!(value >= least && value <= most))
    refuse(name, message`expected an integer from ${least} to ${most}, found ${quote(given)}`);
  return value;
}
