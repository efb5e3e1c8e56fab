import { type Answer } from '../support/answer.js';
import { type Api, type Method } from '../support/api-harness.js';
import { isRead } from '../support/collection-calls.js';
import { bodyOf, type Operation } from '../support/openapi-document.js';
import { type CanaryWorld } from './canary-world.js';
import { canariesIn } from './canaries.js';

/** A request that the scope walk (`scope-walk.ts`) sends with every credential. */
export interface WalkRequest {
  readonly method: Method;
  readonly address: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The beginning of canaries that are words. A quick search for it finds many items, but it is no canary itself. */
const QUICK = 'zqaaaa';
/**
 * Query parameters that the walk sends to each operation that has them. Some operations require them, and others answer
 * with more items.
 */
const PARAMETERS: Readonly<Record<string, string>> = {
  per_page: '1000',
  since_id: '0',
  event_id: '1',
  q: QUICK,
  after: '0',
};
const OLDEST = { 'api-version': '1.2' };
const NEWEST = { 'api-version': '1.9' };
const STALE = { 'if-match': '"stale"' };

/** Returns all requests of an operation about the items of the canary world. None of them changes a canary. */
export function requestsOf(
  operation: Operation,
  { paths, formItems }: Pick<CanaryWorld, 'paths' | 'formItems'>,
): readonly WalkRequest[] {
  // The value `x` is valid only for text items, so the canaries in the values of all other items stay.
  const form_values = formItems.map((item_id) => ({ item_id, value: 'x' }));
  return addressesOf(operation, paths).flatMap((path) => {
    const requests = isRead(operation.name) ? readsOf(operation, path) : writesOf(operation, path);
    const isForm = operation.method === 'POST' && path.endsWith('/form_values');
    return isForm ? [...requests, { method: 'POST', address: path, body: { form_values } }] : requests;
  });
}

function readsOf(operation: Operation, path: string): readonly WalkRequest[] {
  const { method } = operation;
  if (method === 'POST') return [{ method, address: path, body: { per_page: 1000 } }];
  const names = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  // Only feeds of messages accept a number as `after`. Everywhere else `after` is a sealed cursor.
  const sent = Object.entries(PARAMETERS).filter(
    ([name]) => names.includes(name) && (name !== 'after' || path.endsWith('/messages')),
  );
  const query = (more: readonly (readonly string[])[] = []): string => {
    const all = [...sent, ...more].map((pair) => pair.join('='));
    return all.length > 0 ? `${path}?${all.join('&')}` : path;
  };
  const html = names.includes('rich_txt_fmt') ? [['rich_txt_fmt', 'html']] : [];
  return [
    { method, address: query(html), headers: NEWEST },
    { method, address: query(), headers: OLDEST },
  ];
}

function writesOf(operation: Operation, path: string): readonly WalkRequest[] {
  const { method } = operation;
  const isDry = operation.parameters.some(({ name }) => name === 'dry_run');
  const address = isDry ? `${path}?dry_run=true` : path;
  if (method === 'DELETE') return [{ method, address, ...(!isDry && { headers: STALE }) }];
  if (isDry) return [{ method, address }];
  const example = bodyOf(operation)?.example;
  if (!example) return [{ method, address, ...(method !== 'POST' && { headers: STALE }) }];
  return [
    { method, address, body: {}, ...(method === 'PUT' && { headers: STALE }) },
    { method, address, body: example, ...(method !== 'POST' && { headers: STALE }) },
    { method, address, body: { ...example, unknown: 1 } },
  ];
}

/** Returns all paths of an operation, with ids of items of the canary world. */
function addressesOf({ path }: Operation, paths: readonly string[]): readonly string[] {
  if (!path.includes('{')) return [path];
  const current = path
    .replace('/api/v1', '')
    .replace(/^\/applications\b/, '/vacancy_applications')
    .replace(/^\/event_registrations\b/, '/event_applications');
  const end = current.lastIndexOf('}') + 1;
  const items = new RegExp(`^${current.slice(0, end).replaceAll(/\{\w+\}/g, '[^/]+')}(?=/|$)`);
  const heads = new Set(paths.flatMap((one) => items.exec(one)?.[0] ?? []));
  return [...heads].map((head) => `/api/v1${head}${current.slice(end)}`);
}

/** Sends a request of the scope walk (`scope-walk.ts`) with the token of a credential. */
export const sendAs = (
  api: Api,
  token: string,
  { method, address, body, headers = {} }: WalkRequest,
): Promise<Answer> => api.request(method, address, { token, headers, ...(body !== undefined && { body }) });

/** Returns the visible parts of an answer: its body and its headers. */
export const shownIn = ({ text, headers }: Answer): string => `${text}\n${JSON.stringify(headers)}`;

/** Returns the canaries that an answer shows although the request did not send them. */
export function canariesShown(request: WalkRequest, answer: Answer): readonly string[] {
  const sent = canariesIn(`${decodeURIComponent(request.address)} ${JSON.stringify(request.body) ?? ''}`);
  return [...canariesIn(shownIn(answer))].filter((canary) => !sent.has(canary));
}
