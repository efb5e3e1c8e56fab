// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Case {
  readonly kind: string;
  readonly make: () => Promise<Item>;
  /** The scopes that a change of the item needs, without the scopes of its datapaths. */
  readonly scopes: readonly string[];
  /** The scope that the datapaths of the text need. */
  readonly missing: string;
  readonly kept: object;
  /** Another text with the same datapaths. */
  readonly changed: object;
  /** Converts an item to a body for PUT. Absent when PUT accepts all properties as GET shows them. */
  readonly whole?: (item: Item) => object;
}

const column = (title: string) => ({ title, datapath: 'application.user.language' });
const section = (label: string) => ({
  name: 'Section',
  items: [{ key: 'answer', label, type: 'text', visible_if: 'application.user.language == "de"' }],
});

/** The kinds of items that have texts with datapaths. */
const CASES: readonly Case[] = [
  {
    kind: 'scoring rules of a vacancy',
    make: () => make.vacancy({ scoring_rules: [{ expression: 'application.rating > 3', points: 1 }] }),
    scopes: ['vacancies:read', 'vacancies:write'],
    missing: 'applications:read',
    kept: { title: 'Kept' },
    changed: { scoring_rules: [{ expression: 'application.rating > 4', points: 1 }] },
  },
  {
    kind: 'scoring rules of an event',
    make: () => make.event({ scoring_rules: [{ expression: 'application.rating > 3', points: 1 }] }),
    scopes: ['events:read', 'events:write'],
    missing: 'applications:read',
    kept: { title: 'Kept' },
    changed: { scoring_rules: [{ expression: 'application.rating > 4', points: 1 }] },
  },
  {
    kind: 'columns of a layout',
    make: () => make.layout({ columns: [column('Language')] }),
    scopes: ['layouts:read', 'layouts:write'],
    missing: 'applications:read',
    kept: { name: 'Kept' },
    changed: { columns: [column('Other')] },
  },
  {
    kind: 'conditions of a form',
    make: () => make.form({ sections: [section('Answer')] }),
    scopes: ['forms:read', 'forms:write'],
    missing: 'applications:read',
    kept: { name: 'Kept' },
    changed: { sections: [section('Other')] },
  },
  {
    kind: 'placeholders of a template',
    make: () => make.messageTemplate(),
    scopes: ['communications:read', 'communications:write'],
    missing: 'applications:read',
    kept: { name: 'Kept' },
    changed: { body: '<p>Hello {{ application.user.firstname }}</p>' },
  },
  {
    kind: 'conditions of a saved search',
    make: () => make.savedSearch({ search: ['candidate.source=fair'] }),
    scopes: ['searches:read', 'searches:write'],
    missing: 'candidates:read',
    kept: { name: 'Kept' },
    changed: { search: ['candidate.source=board'] },
  },
  {
    kind: 'the expression of a saved search',
    make: () => make.savedSearch({ where: 'candidate.source == "fair"' }),
    scopes: ['searches:read', 'searches:write'],
    missing: 'candidates:read',
    kept: { name: 'Kept' },
    changed: { where: 'candidate.source == "board"' },
  },
  {
    kind: 'conditions of a configured search',
    make: () => make.configSearch({ search: ['candidate.source=fair'] }),
    scopes: ['searches:read', 'searches:write'],
    missing: 'candidates:read',
    kept: { name: 'Kept' },
    changed: { search: ['candidate.source=board'] },
  },
  {
    kind: 'the expression of a topic',
    make: () => make.topic({ expression: 'application.rating > 3' }),
    scopes: ['notifications:read', 'notifications:write', 'notifications:admin'],
    missing: 'applications:read',
    kept: { name: 'Kept' },
    changed: { expression: 'application.rating > 4' },
    whole: (item) => ({ ...item, expression: 'application.rating > 3' }),
  },
];

describe('a credential without the scopes of a stored text', () => {
  test.each(CASES)('may change other properties but not the text: $kind', async ({ make: makeOne, ...one }) => {
    const item = await makeOne();
    const token = await make.token(...one.scopes);
    const [, ...writeOnly] = one.scopes;
    const address = `/api/v1${below(item.url)}`;
    const patch = (body: object, as = token) => api.request('PATCH', address, { token: as, body });
    for (const as of [token, await make.token(...writeOnly)]) {
      expectStatus(200, await patch({}, as));
      expectStatus(200, await patch(one.kept, as));
      const refused = expectStatus(403, await patch(one.changed, as));
      expect(refused.problem.message).toContain(one.missing);
    }
    const present = (await api.get(below(item.url), { token })).item;
    const whole = one.whole?.(present) ?? present;
    expect(expectStatus(200, await api.put(below(item.url), whole, { token })).item).toMatchObject(one.kept);
    expectStatus(403, await api.put(below(item.url), { ...whole, ...one.changed }, { token }));
    expectStatus(200, await patch(one.changed, await make.token(...one.scopes, one.missing, 'users:read')));
  });

  test('cannot change the root of the datapaths of a kept text', async () => {
    const { url } = await make.layout({ columns: [{ title: 'Id', datapath: 'candidate.id' }], resource: 'candidates' });
    const token = await make.token('layouts:read', 'layouts:write');
    const answer = await api.request('PATCH', `/api/v1${below(url)}`, { token, body: { resource: 'users' } });
    expect([403, 422]).toContain(answer.status);
  });
});
