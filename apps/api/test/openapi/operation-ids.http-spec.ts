// @group sample: npm test runs a quarter of its tests
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenApiDocument, partsOfPath } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';
import { VERSIONS } from '../../src/versions/versions.js';

const { api } = useApi();
/** For each version, newest first: the id and the request of each described operation. */
let described: readonly (readonly (readonly [id: string, request: string])[])[];

beforeAll(async () => {
  const documents = await Promise.all(
    [...VERSIONS.versions].reverse().map(async (version) => {
      const { json } = await api.request('GET', `/openapi.json?version=${version}`, { token: null });
      return json as OpenApiDocument;
    }),
  );
  described = documents.map(({ paths }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      partsOfPath(item).methods.map(
        ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
      ),
    ),
  );
});

/** Maps an action that every resource has to its request. `*` is the path of the resource. */
const REQUESTS: Readonly<Record<string, string>> = {
  list: 'GET *',
  create: 'POST *',
  query: 'POST */query',
  count: 'GET */counts',
  get: 'GET */{id}',
  replace: 'PUT */{id}',
  patch: 'PATCH */{id}',
  delete: 'DELETE */{id}',
};

/** Returns the request that follows from an operation id, such as `GET /api/v1/candidates` for `candidates.list`. */
function requestOf(id: string): string | undefined {
  const [tag, action = ''] = id.split('.');
  return REQUESTS[action]?.replace('*', `/api/v1/${tag}`);
}

describe('operation ids', () => {
  test('are unique, short and made of words', () => {
    for (const operations of described) {
      const ids = operations.map(([id]) => id);
      expect(ids.filter((id) => !/^[a-z_]+(\.[a-z_0-9]+)+$/.test(id) || id.length > 50)).toEqual([]);
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    }
  });

  test('follow from the paths or are on the reference page, in every version', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/api-operations.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([^`<]+)` \| `([^`]+)` \|$/gm)].map(([, id, request]) => `${id} ${request}`);
    const others = described.flat().filter(([id, request]) => request !== requestOf(id));
    const found = new Set(others.map((operation) => operation.join(' ')));
    // If this fails after a new operation was added, run `npm run build && npm run openapi -- --operations`. A renamed
    // id breaks clients.
    expect([...found].sort()).toEqual([...listed].sort());
  });

  test('name what the operation does', () => {
    const ids = new Map(described.flat());
    expect(ids.get('applications.list')).toBe('GET /api/v1/vacancy_applications');
    expect(ids.get('applications.replace')).toBe('PUT /api/v1/vacancy_applications/{id}');
    expect(ids.get('applications.move')).toBe('PUT /api/v1/vacancy_applications/{id}/process_state');
    expect(ids.get('notification_endpoints.ping')).toBe('POST /api/v1/notification_endpoints/{id}/ping');
    expect(ids.get('selections.list_members')).toBe('GET /api/v1/selections/{id}/members');
    expect(ids.get('reference.get_openapi')).toBe('GET /openapi.json');
  });
});
