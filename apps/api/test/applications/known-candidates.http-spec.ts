// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type Properties } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';
import { expectRefused, type Kind, person } from './one-call.js';

const { api, make, forms } = useApi();

const KINDS = { applications: () => make.vacancy(), event_applications: () => make.event() } as const;
const idOf = (reference: unknown): number => (reference as { readonly id: number }).id;

const candidatesWith = async (email: unknown): Promise<readonly Item[]> =>
  (await api.get(`/candidates?${new URLSearchParams({ search: `/email=${String(email)}` }).toString()}`)).items;

describe.each(Object.keys(KINDS) as Kind[])('on_existing_candidate in POST /%s', (kind) => {
  const apply = (body: Properties, token?: string): Promise<Answer> =>
    api.post(`/${kind}`, body, token === undefined ? {} : { token });

  test('refuses a known address by default', async () => {
    const [{ email }, { id: opportunity_id }] = [await make.candidate(), await KINDS[kind]()];
    for (const mode of [{}, { on_existing_candidate: null }, { on_existing_candidate: 'refuse' }])
      await expectRefused(api, () => apply({ opportunity_id, candidate: person({ email }), ...mode }), [
        'already_exists /candidate/email',
      ]);
  });

  test('with use, creates the application for the stored person and ignores the given values', async () => {
    const known = await make.candidate({ tags: ['old'], source: 'fair' });
    const { id: opportunity_id } = await KINDS[kind]();
    const candidate = person({
      email: String(known['email']).toUpperCase(),
      firstname: 'Other',
      tags: ['new'],
      Phone: [{ Label: 'home', Number: '123' }],
    });
    const before = (await api.get(`/candidates/${known.id}`)).item;
    const body = { opportunity_id, candidate, on_existing_candidate: 'use', source: 'page' };
    const { item } = expectStatus(201, await apply(body));
    expect([idOf(item['user']), item['source']]).toEqual([known.id, 'page']);
    expect((await api.get(`/candidates/${known.id}`)).item).toEqual(before);
    expect(await candidatesWith(known['email'])).toHaveLength(1);
  });

  test('with use and with update, creates a new person for an unknown address', async () => {
    const { id: opportunity_id } = await KINDS[kind]();
    for (const on_existing_candidate of ['use', 'update']) {
      const candidate = person({ tags: ['x'], Phone: [{ Label: 'home', Number: '123' }] });
      const { item } = expectStatus(201, await apply({ opportunity_id, candidate, on_existing_candidate }));
      expect((await api.get(`/candidates/${idOf(item['user'])}`)).item).toMatchObject(candidate);
      const { json } = await api.get(`/candidates/${idOf(item['user'])}/history`);
      expect((json as { readonly items: readonly Properties[] }).items.map(({ type }) => type)).toEqual(['created']);
    }
  });

  test('with update, merges the given values into the stored person and records the change', async () => {
    const known = await make.candidate({ tags: ['old'], title: 'Dr', source: 'fair', Url: [] });
    const { id: opportunity_id } = await KINDS[kind]();
    const candidate = {
      firstname: 'Grace',
      lastname: known['lastname'],
      email: String(known['email']).toUpperCase(),
      title: null,
      tags: ['new'],
    };
    const { item } = expectStatus(201, await apply({ opportunity_id, candidate, on_existing_candidate: 'update' }));
    expect(idOf(item['user'])).toBe(known.id);
    expect((await api.get(`/candidates/${known.id}`)).item).toEqual({
      ...known,
      firstname: 'Grace',
      title: null,
      tags: ['new'],
      updated_dt: expect.any(String),
    });
    const { json } = await api.get(`/candidates/${known.id}/history`);
    const [entry] = (json as { readonly items: readonly Properties[] }).items;
    const changes = entry?.['changes'] as readonly Properties[];
    expect([entry?.['type'], changes.map(({ path }) => path).sort()]).toEqual([
      'field_change',
      ['/firstname', '/tags', '/title'],
    ]);
  });

  test('needs candidates:write for update, but not for the other modes', async () => {
    const [token, both] = [
      await make.token('applications:write'),
      await make.token('applications:write', 'candidates:write'),
    ];
    const [{ email }, { id: opportunity_id }] = [await make.candidate(), await KINDS[kind]()];
    const body = { opportunity_id, candidate: person({ email }), on_existing_candidate: 'update' };
    expect((await apply(body, token)).status).toBe(403);
    expect((await apply({ ...body, rating: 9 }, token)).status).toBe(403);
    expectStatus(201, await apply(body, both));
    const other = await KINDS[kind]();
    expectStatus(201, await apply({ ...body, opportunity_id: other.id, on_existing_candidate: 'use' }, token));
  });

  test.each(['use', 'update'])(
    'shows a stored person only with candidates:read, also in a replay, with %s',
    async (mode) => {
      const own = ['applications:create', 'candidates:write'];
      const limited = ['id', 'uuid', 'url', 'created_dt', 'updated_dt'];
      for (const [more, isWhole] of [
        [[], false],
        [['applications:read'], false],
        [['candidates:read'], false],
        [['applications:read', 'candidates:read'], true],
      ] as const) {
        const token = await make.token(...own, ...more);
        const [known, { id: opportunity_id }] = [await make.candidate({ lastname: 'Secret' }), await KINDS[kind]()];
        for (const email of [known['email'], person()['email']]) {
          const body = { opportunity_id, candidate: person({ email }), on_existing_candidate: mode };
          const headers = { 'idempotency-key': `${mode} ${String(email)}` };
          const send = (): Promise<Answer> => api.post(`/${kind}`, body, { token, headers });
          const [first, replay] = [expectStatus(201, await send()), expectStatus(201, await send())];
          expect(first.text).toBe(replay.text);
          expect('etag' in first.headers).toBe(isWhole);
          if (isWhole) expect(first.item).toHaveProperty('user');
          else expect(Object.keys(first.item)).toEqual(limited);
        }
      }
    },
  );

  test.each(['use', 'update'])('refuses a second live application with %s', async (on_existing_candidate) => {
    const { id: opportunity_id } = await KINDS[kind]();
    const candidate = person();
    const body = { opportunity_id, candidate, on_existing_candidate };
    const { item } = expectStatus(201, await apply(body));
    await expectRefused(api, () => apply(body), ['already_exists /opportunity_id']);
    await make.inState(kind === 'applications' ? 'rejected' : 'declined', item);
    await api.database.query('UPDATE applications SET is_live = false WHERE id = $1', [item.id]);
    expectStatus(201, await apply(body));
  });

  test('does not reveal a known person when the request has other violations', async () => {
    const { id: opportunity_id } = await KINDS[kind]();
    const candidate = person();
    const use = { opportunity_id, candidate, on_existing_candidate: 'use' };
    expectStatus(201, await apply(use));
    await expectRefused(api, () => apply({ ...use, rating: 9 }), ['invalid /rating']);
    const { name } = await forms.itemsOf(
      { name: { required: true }, note: {} },
      { resource: kind, opportunity_ids: [opportunity_id], on_apply: 'required' },
    );
    await expectRefused(api, () => apply(use), ['missing /form_values']);
    await expectRefused(api, () => apply({ ...use, form_values: [{ item_id: name, value: 'x' }] }), [
      'already_exists /opportunity_id',
    ]);
  });

  test.each([{ candidate: undefined }, { candidate: null }])(
    'is accepted only together with the property candidate: %j',
    async (more) => {
      const [{ id: user_id }, { id: opportunity_id }] = [await make.candidate(), await KINDS[kind]()];
      const body = { opportunity_id, user_id, on_existing_candidate: 'use', ...more };
      await expectRefused(api, () => apply(body), ['invalid /on_existing_candidate']);
      expect((await apply({ ...body, candidate: person(), on_existing_candidate: 'no' })).violations).toContain(
        'invalid /on_existing_candidate',
      );
    },
  );

  test('is unknown to PUT and PATCH', async () => {
    const { item } = expectStatus(201, await apply({ opportunity_id: (await KINDS[kind]()).id, candidate: person() }));
    const more = { on_existing_candidate: 'use' };
    const body = { opportunity_id: item['opportunity_id'], user_id: idOf(item['user']), ...more };
    expect((await api.put(`/${kind}/${item.id}`, body)).violations).toEqual(['invalid /on_existing_candidate']);
    expect((await api.request('PATCH', `/api/v1/${kind}/${item.id}`, { body: more })).violations).toEqual([
      'invalid /on_existing_candidate',
    ]);
  });

  test.each(['use', 'update'])(
    'refuses the address of an anonymised person, a recruiter and an API user in the same way with %s',
    async (mode) => {
      const { id: opportunity_id } = await KINDS[kind]();
      const anonymised = await make.candidate();
      expectStatus(200, await api.post(`/candidates/${anonymised.id}/anonymise`));
      const [apiUser] = (await api.get(`/users?${new URLSearchParams({ search: '/type=api' }).toString()}`)).items;
      const addresses = [
        (await api.get(`/candidates/${anonymised.id}`)).item['email'],
        (await make.recruiter())['email'],
        apiUser?.['email'],
      ];
      const answers: unknown[] = [];
      for (const email of addresses) {
        const request = (): Promise<Answer> =>
          apply({ opportunity_id, candidate: person({ email }), on_existing_candidate: mode });
        await expectRefused(api, request, ['invalid /candidate/email']);
        answers.push((await request()).problem['errors']);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    },
  );

  test('with use, evaluates conditions on the given values, also for a known person', async () => {
    const { id: opportunity_id } = await KINDS[kind]();
    const { asked, mail } = await forms.itemsOf(
      {
        asked: { visible_if: 'application.user.firstname == "Grace"' },
        mail: { visible_if: 'application.candidate.email =~ "@example.com"' },
      },
      { resource: kind, opportunity_ids: [opportunity_id] },
    );
    const known = await make.candidate({ firstname: 'Ada', email: `${Math.random()}@example.com` });
    const form_values = [
      { item_id: asked, value: 'yes' },
      { item_id: mail, value: 'yes' },
    ];
    for (const email of [known['email'], person()['email']]) {
      const use = (firstname: string): Promise<Answer> =>
        apply({ opportunity_id, candidate: person({ email, firstname }), form_values, on_existing_candidate: 'use' });
      await expectRefused(api, () => use('Ada'), ['not_visible /form_values/0/value']);
      const { item } = expectStatus(201, await use('Grace'));
      expect((await forms.read(item, kind)).map(({ value }) => value)).toEqual(['yes', 'yes']);
      const { json } = await api.get(`/${kind}/${item.id}/history`);
      expect((json as { readonly items: readonly Properties[] }).items.map(({ type }) => type)).toEqual([
        'form_submitted',
        'created',
      ]);
    }
  });

  test.each(['use', 'update'])(
    'creates one person for concurrent requests with the same new address with %s',
    async (mode) => {
      for (let round = 0; round < 3; round++) {
        const [first, second] = [await KINDS[kind](), await KINDS[kind]()];
        const candidate = person();
        const to = ({ id }: Item): Promise<Answer> =>
          apply({ opportunity_id: id, candidate, on_existing_candidate: mode });
        const answers = await Promise.all([to(first), to(second), to(first)]);
        const created = answers.filter(({ status }) => status === 201).map(({ item }) => item);
        expect(new Set(created.map(({ opportunity_id }) => opportunity_id))).toEqual(new Set([first.id, second.id]));
        expect(new Set(created.map(({ user }) => idOf(user))).size).toBe(1);
        const refused = answers.filter(({ status }) => status === 422);
        expect(refused.map(({ violations }) => violations)).toEqual([['already_exists /opportunity_id']]);
        expect(await candidatesWith(candidate['email'])).toHaveLength(1);
      }
    },
  );
});
