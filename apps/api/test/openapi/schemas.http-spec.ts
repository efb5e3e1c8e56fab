// @group sample: npm test runs a quarter of its tests
import { allResources } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AnswerChecker, openDocument } from '../support/answer-checker.js';
import { type Schema } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let checker: AnswerChecker;

beforeAll(async () => {
  ({ checker } = await openDocument(api, make));
});

interface Relations {
  readonly 'x-relations': Readonly<Record<string, { readonly type: string; readonly attributes: readonly string[] }>>;
}

const schemaOf = async (name: string): Promise<Schema & Relations> => {
  const { status, json } = await api.get(`/schemas/${name}`);
  expect([name, status]).toEqual([name, 200]);
  return json as Schema & Relations;
};

describe('GET /schemas/{resource}', () => {
  test('serves every name of a collection, and the type of every relation', async () => {
    for (const { name, paths } of allResources().filter(
      ({ ownerColumn, sharedColumn }) => !ownerColumn || sharedColumn,
    )) {
      for (const path of paths) expect([path, await schemaOf(path)]).toEqual([path, await schemaOf(name)]);
    }
    const seen = new Set<string>();
    const follow = async (name: string): Promise<void> => {
      if (seen.has(name)) return;
      seen.add(name);
      const schema = await schemaOf(name);
      for (const [relation, { type, attributes }] of Object.entries(schema['x-relations'])) {
        const target = await schemaOf(type);
        expect([relation, Object.keys(target.properties ?? {})]).toEqual([relation, attributes]);
        await follow(type);
      }
    };
    for (const { name } of allResources()) await follow(name);
    expect([...seen]).toEqual(expect.arrayContaining(['opportunity', 'process_state', 'state']));
  });

  test('has the schemas of the answers of histories', async () => {
    const application = await make.application();
    const schema = { ...(await schemaOf('history')) };
    const { json } = await api.get(`/applications/${application.id}/history`);
    expect(checker.violationsOfValue(schema, json)).toEqual([]);
    expect(checker.violationsOfValue(schema, { items: [{ id: 1 }], has_more: true })).not.toEqual([]);
  });
});
