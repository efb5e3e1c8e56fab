import { type Answer, type Item } from '../support/answer.js';
import { type Api, type Method, type RequestOptions, type Route } from '../support/api-harness.js';
import { sampleOf } from '../support/long-part.js';

/** A registered route, with what is needed to call it. */
export interface Target extends Route {
  /** Path with ids of existing items. */
  readonly path: string;
  /** Returns the path with the given id in place of each parameter. Null when the route has no id. */
  readonly pathWithId: (id: string) => string | null;
  /**
   * The item at `path`. For a collection, it is the first item. For an action such as `…/<id>/enable`, it is the item
   * with this id.
   */
  readonly item: Item;
  /** True when the body is a JSON object. False for an action such as `POST …/<id>/enable`. */
  readonly takesBody: boolean;
}

export interface Case {
  /** The rule that the case checks. */
  readonly title: string;
  readonly methods: readonly Method[];
  readonly appliesTo?: (target: Target) => boolean;
  readonly request: (target: Target) => RequestOptions & { readonly path?: string };
  readonly status: number | ((target: Target) => number);
  /** Checks the answer beyond its status. Returns how the answer breaks the rule, or null when it keeps the rule. */
  readonly check?: (answer: Answer, target: Target) => string | null;
}

/** True for uploads, whose bodies are not JSON. The tests of documents check them. */
const takesFile = ({ method, url }: Route): boolean =>
  (method === 'POST' && url === '/api/v1/documents') || url.startsWith('/api/v1/documents/uploads');

const PARAMETER = /:[a-zA-Z]+/g;

/**
 * Lists every route below the prefix of the API, so that a new route needs no entry here.
 * @throws when a collection has no item
 */
export async function targetsOf(api: Api): Promise<readonly Target[]> {
  const routes = api.routes.filter(
    (route) => route.url.startsWith('/api/v1/') && route.method !== 'HEAD' && !takesFile(route),
  );
  const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => url));
  const targets: Target[] = [];
  const itemAt = keptItems(api);
  for (const route of routes) {
    const path = await withIds(itemAt, route.url);
    // A path without GET is an action on the item before it, such as `POST …/<id>/enable`.
    const isAction = !readable.has(route.url) && !route.url.endsWith('/:id');
    targets.push({
      ...route,
      path,
      item: await itemAt(isAction ? path.slice(0, path.lastIndexOf('/')) : path),
      takesBody: ['POST', 'PUT', 'PATCH'].includes(route.method) && !isAction,
      pathWithId: (id: string) => (route.url.includes(':') ? route.url.replace(PARAMETER, id) : null),
    });
  }
  return targets;
}

/** Returns the item at a path. For a collection, returns its first item. */
type ItemAt = (path: string) => Promise<Item>;

/** Replaces each parameter of a path by the id of the first item in the collection before it, from left to right. */
async function withIds(itemAt: ItemAt, url: string): Promise<string> {
  let path = '';
  for (const part of url.split('/').slice(1))
    path += `/${part.startsWith(':') ? (await itemAt(path)).url.split('/').at(-1) : part}`;
  return path;
}

/** Returns a function that reads each path at most once and keeps the item. */
function keptItems(api: Api): ItemAt {
  const kept = new Map<string, Promise<Item>>();
  return (path) => {
    const item = kept.get(path) ?? readItem(api, path);
    kept.set(path, item);
    return item;
  };
}

async function readItem(api: Api, path: string): Promise<Item> {
  const answer = await api.request('GET', path);
  if (!Array.isArray(answer.item)) return answer.item;
  const item = answer.status === 200 ? answer.items[0] : undefined;
  if (!item) throw new Error(`${path} has no item: create one in beforeAll`);
  return item;
}

/**
 * Runs a case against the routes that it applies to. `npm test` uses a sample of them.
 * @returns a text for each route that breaks the rule
 */
export async function violations(
  api: Api,
  targets: readonly Target[],
  { methods, appliesTo, request, status, check }: Case,
): Promise<readonly string[]> {
  const found: string[] = [];
  const applies = (target: Target): boolean => methods.includes(target.method) && appliesTo?.(target) !== false;
  for (const target of sampleOf(targets.filter(applies), 12)) {
    const { path = target.path, ...options } = request(target);
    const answer = await api.request(target.method, path, options);
    const expected = typeof status === 'number' ? status : status(target);
    const violation =
      violationOf(answer) ??
      (answer.status === expected ? (check?.(answer, target) ?? null) : `${answer.status} instead of ${expected}`);
    if (violation) found.push(`${target.method} ${path.slice(0, 100)}: ${violation} ${answer.text.slice(0, 300)}`);
  }
  return found;
}

/**
 * Checks the rules for every answer (docs/reference/errors.md, "Error body"). Returns the first broken rule as text, or
 * null.
 */
export function violationOf(answer: Answer): string | null {
  if (!answer.headers['x-request-id']) return 'no X-Request-Id';
  if (!/^1\.[2-9]$/.test(answer.headers['api-version'] ?? '')) return 'no Api-Version';
  if (answer.status >= 500) return `the status ${answer.status}`;
  if (answer.status < 400) return null;
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') return 'an error that is not JSON';
  const { message, request_id, errors, ...rest } = answer.problem;
  if (typeof message !== 'string' || message === '') return 'an error without a message';
  if (request_id !== answer.headers['x-request-id']) return 'a request_id that differs from the header';
  if (Object.keys(rest).length > 0) return `an error with ${Object.keys(rest).join(', ')}`;
  if (answer.status === 422 && !errors?.length) return 'a 422 without errors';
  const isWhole = (errors ?? []).every(
    ({ resource, path, code }) => resource !== '' && typeof path === 'string' && /^[a-z_]+$/.test(code),
  );
  return isWhole ? null : 'an entry of errors without a valid resource, path or code';
}
