// @group sample: npm test runs a quarter of its tests
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { DocumentSweeper } from '../../src/documents/document-sweeper.js';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { dataOf, titled } from '../layouts/layout-readings.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const files = async (): Promise<readonly string[]> =>
  (await readdir(api.folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const keyOf = async ({ id }: Item): Promise<string> => {
  const [row] = await api.database.query<{ storage_key: string }>('SELECT storage_key FROM documents WHERE id = $1', [
    id,
  ]);
  return row?.storage_key ?? '';
};

const applicationWith = (...documents: readonly Item[]): Promise<Item> =>
  make.application({ document_ids: documents.map(({ id }) => id) });

const eventsOf = async (document: Item): Promise<readonly string[]> =>
  (
    await api.database.query<{ type: string }>(
      `SELECT type FROM domain_events WHERE subject_type = 'document' AND subject_id = $1 ORDER BY id`,
      [document.id],
    )
  ).map(({ type }) => type);

describe('document_ids of a new application', () => {
  test('give the application the documents that the same credential uploaded', async () => {
    const [cv, letter] = [await make.document(), await make.document({ kind: 'cover_letter' })];
    const application = await applicationWith(cv, letter);
    const { item } = await api.get(`/documents/${cv.id}`);
    expect(item).toMatchObject({ owner: 'application', application: { id: application.id, url: application.url } });
    expect(await eventsOf(cv)).toEqual(['DOCUMENT_CREATE', 'DOCUMENT_UPDATE']);
    const found = await api.get(`/vacancy_applications?search=application.documents.kind=cover_letter`);
    expect(found.items.map(({ id }) => id)).toEqual([application.id]);
    const owned = await api.get(`/documents?search=document.application.id=${application.id}&sort=id!asc`);
    expect(owned.items.map(({ id }) => id)).toEqual([cv.id, letter.id]);
  });

  test('are refused for owned, foreign, repeated and unknown documents, each at its pointer', async () => {
    const [free, owned] = [await make.document(), await make.document()];
    await applicationWith(owned);
    const token = await make.token('documents:create');
    const foreign = await make.document({}, { token });
    const answer = await api.post('/vacancy_applications', {
      opportunity_id: (await make.vacancy()).id,
      user_id: (await make.candidate()).id,
      document_ids: [free.id, owned.id, foreign.id, free.id, 999_999, 'x'],
    });
    expect([answer.status, answer.violations]).toEqual([
      422,
      [5, 1, 2, 3, 4].map((place) => `invalid /document_ids/${place}`),
    ]);
    expect((await api.get(`/documents/${free.id}`)).item['owner']).toBeNull();
  });

  test('give the document to one of two concurrent applications', async () => {
    const document = await make.document();
    const body = { opportunity_id: (await make.vacancy()).id, document_ids: [document.id] };
    const users = [await make.candidate(), await make.candidate()];
    const answers = await Promise.all(
      users.map(({ id }) => api.post('/vacancy_applications', { ...body, user_id: id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('the bytes of a document', () => {
  test('are deleted with the document, its application or its person', async () => {
    const [deleted, ofApplication, ofPerson, kept] = [
      await make.document(),
      await make.document(),
      await make.document(),
      await make.document(),
    ];
    const keys = [await keyOf(deleted), await keyOf(ofApplication), await keyOf(ofPerson)];
    const first = await applicationWith(ofApplication);
    const second = await applicationWith(ofPerson);
    expect(await files()).toEqual(expect.arrayContaining(keys));
    expectStatus(204, await api.delete(`/documents/${deleted.id}`));
    expectStatus(204, await api.delete(`/vacancy_applications/${first.id}`));
    const person = (second['user'] as Item).id;
    expectStatus(200, await api.post(`/candidates/${person}/anonymise`));
    await api.app.get(DocumentSweeper).sweep();
    const left = await files();
    for (const key of keys) expect(left).not.toContain(key);
    expect(left).toContain(await keyOf(kept));
    for (const one of [deleted, ofApplication, ofPerson]) expect((await eventsOf(one)).at(-1)).toBe('DOCUMENT_DELETE');
  });

  test('are deleted when the document gets no owner within 24 hours', async () => {
    const [old, young] = [await make.document(), await make.document()];
    const key = await keyOf(old);
    await api.database.query(`UPDATE documents SET created_dt = now() - interval '25 hours' WHERE id = $1`, [old.id]);
    await api.app.get(DocumentSweeper).sweep();
    expect((await api.get(`/documents/${old.id}`)).status).toBe(404);
    expect((await api.get(`/documents/${young.id}`)).status).toBe(200);
    expect(await files()).not.toContain(key);
    expect((await eventsOf(old)).at(-1)).toBe('DOCUMENT_DELETE');
  });
});

describe('document_ids of a new candidate', () => {
  const candidateWith = (documents: readonly unknown[], properties = {}): Promise<Answer> =>
    api.post('/candidates', {
      firstname: 'Ada',
      lastname: 'Lovelace',
      email: `documents-${randomUUID()}@example.com`,
      document_ids: documents,
      ...properties,
    });

  test('give the candidate the documents, which search and layouts can read', async () => {
    const [cv, letter] = [await make.document(), await make.document({ kind: 'cover_letter' })];
    const { item: candidate } = expectStatus(201, await candidateWith([cv.id, letter.id]));
    const { item } = await api.get(`/documents/${cv.id}`);
    expect(item).toMatchObject({ owner: 'candidate', candidate: { id: candidate.id, url: candidate.url } });
    expect(await eventsOf(letter)).toEqual(['DOCUMENT_CREATE', 'DOCUMENT_UPDATE']);
    const found = await api.get(`/candidates?search=candidate.documents.kind=cover_letter&search=/id=${candidate.id}`);
    expect(found.items.map(({ id }) => id)).toEqual([candidate.id]);
    const layout = await make.layout({ resource: 'candidates', columns: titled('candidate.documents.kind') });
    const shown = expectStatus(200, await api.get(`/candidates?layout=${layout.id}&search=/id=${candidate.id}`));
    expect(shown.items.map((row) => dataOf(row))).toEqual([[{ value: ['cv', 'cover_letter'] }]]);
  });

  test('are refused together with the other violations, each at its pointer', async () => {
    const [free, owned] = [await make.document(), await make.document()];
    expectStatus(201, await candidateWith([owned.id]));
    const known = (await make.candidate())['email'];
    const both = await candidateWith([free.id, owned.id], { email: known });
    expect([both.status, both.violations]).toEqual([422, ['already_exists /email', 'invalid /document_ids/1']]);
    const malformed = await candidateWith([owned.id, 'x'], { firstname: 1 });
    expect([...malformed.violations].sort()).toEqual([
      'invalid /document_ids/0',
      'invalid /document_ids/1',
      'invalid /firstname',
    ]);
    expect((await api.get(`/documents/${free.id}`)).item['owner']).toBeNull();
  });

  test('are not accepted for a stored candidate', async () => {
    const { item } = expectStatus(201, await candidateWith([]));
    expect((await api.put(`/candidates/${item.id}`, { ...item, document_ids: [] })).violations).toEqual([
      'invalid /document_ids',
    ]);
  });

  test('are deleted with the candidate', async () => {
    const document = await make.document();
    const { item } = expectStatus(201, await candidateWith([document.id]));
    expectStatus(204, await api.delete(`/candidates/${item.id}`));
    expect((await api.get(`/documents/${document.id}`)).status).toBe(404);
    expect((await eventsOf(document)).at(-1)).toBe('DOCUMENT_DELETE');
  });
});

describe('the owner in the body of a document', () => {
  const OWNERS = ['application', 'candidate'] as const;
  const patch = (id: unknown, body: object): Promise<Answer> =>
    api.request('PATCH', `/api/v1/documents/${String(id)}`, { body });
  const ownerFor = async (kind: (typeof OWNERS)[number]): Promise<Item> =>
    kind === 'application' ? applicationWith() : make.candidate();

  test.each(OWNERS)('gives an uploaded document to an existing %s, and never changes', async (kind) => {
    const [document, owner, other] = [await make.document(), await ownerFor(kind), await ownerFor(kind)];
    const path = `/documents/${document.id}`;
    const owned = await patch(document.id, { [`${kind}_id`]: owner.id });
    expectStatus(200, owned);
    expect(owned.item).toMatchObject({ owner: kind, [kind]: { id: owner.id } });
    expect(await eventsOf(document)).toEqual(['DOCUMENT_CREATE', 'DOCUMENT_UPDATE']);
    expectStatus(200, await api.put(path, { name: 'letter.txt', kind: 'cover_letter' }));
    expectStatus(200, await patch(document.id, { [`${kind}_id`]: owner.id }));
    for (const id of [other.id, null]) {
      const refused = await patch(document.id, { [`${kind}_id`]: id });
      expect([refused.status, refused.violations]).toEqual([422, [`invalid /${kind}_id`]]);
    }
    const { item } = await api.get(path);
    expect(item).toMatchObject({ name: 'letter.txt', owner: kind, [kind]: { id: owner.id } });
  });

  test('is refused when the owner has 100 documents', async () => {
    const [owner, document] = [await make.candidate(), await make.document()];
    await api.database.query(
      `INSERT INTO documents (name, kind, media_type, size, sha256, candidate_id)
       SELECT 'a.txt', 'other', 'text/plain', 1, repeat('0', 64), $1 FROM generate_series(1, 99)`,
      [owner.id],
    );
    expectStatus(200, await patch((await make.document()).id, { candidate_id: owner.id }));
    const refused = await patch(document.id, { candidate_id: owner.id });
    expect([refused.status, refused.violations]).toEqual([422, ['invalid /candidate_id']]);
  });

  test('is refused for two owners, unknown owners, anonymised candidates, and documents of other credentials', async () => {
    const [application, candidate] = [await applicationWith(), await make.candidate()];
    const document = await make.document();
    const violationsOf = async (id: unknown, body: object): Promise<readonly unknown[]> => {
      const answer = await patch(id, body);
      return [answer.status, answer.violations];
    };
    const both = { application_id: application.id, candidate_id: candidate.id };
    expect(await violationsOf(document.id, both)).toEqual([422, ['invalid /candidate_id']]);
    expect(await violationsOf(document.id, { candidate_id: 999_999 })).toEqual([422, ['invalid /candidate_id']]);
    const token = await make.token('documents:create');
    const foreign = await make.document({}, { token });
    expect(await violationsOf(foreign.id, { candidate_id: candidate.id })).toEqual([422, ['invalid /candidate_id']]);
    expectStatus(200, await api.post(`/candidates/${(application['user'] as Item).id}/anonymise`));
    expect(await violationsOf(document.id, { application_id: application.id })).toEqual([
      422,
      ['invalid /application_id'],
    ]);
    expect((await api.get(`/documents/${document.id}`)).item['owner']).toBeNull();
  });

  test('is one of two owners that concurrent requests name', async () => {
    const document = await make.document();
    const owners = [await make.candidate(), await make.candidate()];
    const answers = await Promise.all(owners.map(({ id }) => patch(document.id, { candidate_id: id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});
