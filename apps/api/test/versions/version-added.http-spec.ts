// @group long: reads every resource in every version
import { randomUUID } from 'node:crypto';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type createApp } from '../../src/create-app.js';
import { type siteReference } from '../../src/docs/reference.js';
import { Api } from '../support/api-harness.js';
import { expectStatus, Factories } from '../support/factories.js';

/** The text of the file that adds a version. A new version needs no other file. */
const DECLARATION = `
import { type ApiVersionDeclaration } from '../api-version.js';
import { ofObject, renamed } from '../reshape.js';

export const version: ApiVersionDeclaration = {
  version: '1.10',
  date: '2026-12-01',
  status: 'stable',
  changelog: 'Job boards: \`name\` is called \`label\`.',
  upgrade: 'Send and read \`label\`.',
  changes: [
    {
      endpoints: ['* /api/v1/job_boards*'],
      request: { body: ofObject((body) => renamed(body, { label: 'name' })) },
    },
    { endpoints: ['GET /api/v1/recruiters*'], response: { body: () => { throw new Error('a mistake in a change'); } } },
    {
      endpoints: ['GET /api/v1/job_boards/:id'],
      response: { body: (json) => JSON.stringify(renamed(JSON.parse(json) as object, { name: 'label' })) },
      operation: (operation) => ({ ...operation, summary: 'Read a job board as it was' }),
    },
  ],
};
`;

const copy = join(import.meta.dirname, '../..', 'out-test', `with-1.10-${randomUUID()}`);

beforeAll(async () => {
  await cp(join(import.meta.dirname, '../..', 'src'), copy, { recursive: true });
  await writeFile(join(copy, 'versions', 'changes', 'v1-10.ts'), DECLARATION);
});
afterAll(() => rm(copy, { recursive: true }));

async function withApi(use: (api: Api) => Promise<void>): Promise<void> {
  const own = (await import(join(copy, 'create-app'))) as { readonly createApp: typeof createApp };
  const api = await Api.start({}, own.createApp);
  try {
    await use(api);
  } finally {
    await api.close();
  }
}

test('one new file is enough to add a minor version', () =>
  withApi(async (api) => {
    const make = new Factories(api);
    const at = (version: string) => ({ headers: { 'api-version': version } });

    // The new version is served, and it is the default.
    expect((await api.get('/me')).headers['api-version']).toBe('1.10');
    expect((await api.get('/me', at('1.11'))).problem.message).toBe(
      'The header Api-Version must be one of 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 1.10',
    );
    expect((await make.credential({ api_version: '1.10' }))['api_version']).toBe('1.10');

    // The change of version 1.10 translates requests of older versions. Requests of 1.10 are not translated.
    const { id } = expectStatus(201, await api.post('/job_boards', { label: 'Board', code: 'a' }, at('1.9'))).item;
    expect((await api.post('/job_boards', { label: 'Board', code: 'b' }, at('1.10'))).violations).toEqual([
      'missing /name',
      'invalid /label',
    ]);
    const shown = await Promise.all(
      ['1.2', '1.9', '1.10'].map(async (version) => (await api.get(`/job_boards/${id}`, at(version))).item),
    );
    expect(shown.map(({ name, label }) => [name, label])).toEqual([
      [undefined, 'Board'],
      [undefined, 'Board'],
      ['Board', undefined],
    ]);

    // When a change throws, the client gets a normal error.
    for (const path of ['/recruiters', '/recruiters/1']) {
      const { status, problem } = await api.get(path, at('1.9'));
      expect([status, problem.message]).toEqual([500, 'Internal error']);
      expectStatus(200, await api.get(path, at('1.10')));
    }

    // The API reference and the list of systems name the version.
    expect((await api.get('/systems')).items[0]).toMatchObject({
      api_versions: expect.arrayContaining([{ version: '1.10', date: '2026-12-01', status: 'stable' }]),
    });
    const copied = (await import(join(copy, 'docs/reference'))) as {
      readonly siteReference: typeof siteReference;
    };
    const { versions } = JSON.parse(JSON.stringify(copied.siteReference([], []))) as {
      readonly versions: { readonly all: readonly { readonly version: string; readonly text: string }[] };
    };
    expect(versions.all[0]).toMatchObject({ version: '1.10', text: 'Job boards: `name` is called `label`.' });
    const summaries = await Promise.all(
      ['1.9', '1.10'].map(async (version) => {
        const { paths } = (await api.request('GET', `/openapi.json?version=${version}`)).json as {
          readonly paths: Readonly<Record<string, { readonly get: { readonly summary: string } }>>;
        };
        return paths['/api/v1/job_boards/{id}']?.get.summary;
      }),
    );
    expect(summaries).toEqual(['Read a job board as it was', 'Read a job board']);
    expect(JSON.stringify((await api.request('GET', '/openapi.json')).json)).toContain(
      '"enum":["1.2","1.3","1.4","1.5","1.6","1.7","1.8","1.9","1.10"]',
    );
  }));
