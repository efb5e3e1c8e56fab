// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const BODY = '<p>Dear {{ application.user.firstname }}</p>';
const written = (properties: object = {}) => ({ name: 'Invitation', subject: 'Hello', body: BODY, ...properties });
const infosOf = (errors: readonly { readonly path: string; readonly info?: string }[] = []): readonly string[] =>
  errors.map(({ path, info = '' }) => `${path} ${info}`);

describe('a message template', () => {
  test('is returned as it was written, as plain text and as HTML', async () => {
    const { item, headers } = expectStatus(
      201,
      await api.post('/message_templates', written({ type: 'sms', subject: 'Hi {{ application.reference }}' })),
    );
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/message_templates/${item.id}`),
      name: 'Invitation',
      type: 'sms',
      subject: 'Hi {{ application.reference }}',
      body: 'Dear {{ application.user.firstname }}',
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/message_templates/${item.id}?rich_txt_fmt=html`)).item['body']).toBe(BODY);
  });

  test('defaults to an e-mail on create and replace', async () => {
    const { id } = await make.messageTemplate({ type: 'note' });
    expect((await make.messageTemplate())['type']).toBe('email');
    expect(expectStatus(200, await api.put(`/message_templates/${id}`, written())).item).toMatchObject({
      type: 'email',
      name: 'Invitation',
    });
  });

  test('is found by its texts and its type', async () => {
    const { id } = await make.messageTemplate({ name: 'Rejection', type: 'note', subject: 'Our Quokka decision' });
    expect((await api.get('/message_templates?filter=quokka&type=note')).items.map((item) => item.id)).toEqual([id]);
    expect(
      (await api.get(`/message_templates?search=/body=~application.user.firstname&search=/id=${id}`)).items,
    ).toHaveLength(1);
    expect((await api.get('/message_templates?filter=quokka&type=email')).items).toEqual([]);
    expect((await api.get('/message_templates?type=fax')).violations).toEqual(['invalid ?type']);
  });

  test('can be deleted; its messages stay without the reference', async () => {
    const { id } = await make.messageTemplate();
    const communication = await make.communication({ template_id: id });
    expect(communication['template']).toEqual({ id, url: `${BASE_URL}/api/v1/message_templates/${id}` });
    expectStatus(204, await api.delete(`/message_templates/${id}`));
    expectStatus(404, await api.get(`/message_templates/${id}`));
    expect((await api.get(`/communications/${communication.id}`)).item).toMatchObject({
      template: null,
      body: 'Dear Ada',
    });
  });

  test('keeps its formatting when it is sent back', async () => {
    const { item } = await api.post('/message_templates', written());
    expectStatus(200, await api.put(`/message_templates/${item.id}`, written({ body: item['body'], name: 'Other' })));
    expect((await api.get(`/message_templates/${item.id}?rich_txt_fmt=html`)).item).toMatchObject({
      body: BODY,
      name: 'Other',
    });
  });
});

describe('a new template', () => {
  test.each([
    ['nothing', {}, ['missing /name', 'missing /subject', 'missing /body']],
    ['an unknown type', written({ type: 'fax' }), ['invalid /type']],
    ['a body without anything to read', written({ body: '<p><br /></p>' }), ['invalid /body']],
    [
      'empty texts',
      written({ name: '', subject: ' ', body: ' ' }),
      ['invalid /name', 'invalid /subject', 'invalid /body'],
    ],
    ['a subject of two lines', written({ subject: 'a\nb' }), ['invalid /subject']],
    ['a subject with a control character', written({ subject: 'a\u0007b' }), ['invalid /subject']],
    ['a subject that is too long', written({ subject: 'x'.repeat(999) }), ['invalid /subject']],
    ['a body that is too long', written({ body: 'x'.repeat(100_001) }), ['invalid /body']],
    ['texts that are none', written({ subject: ['x'], body: { a: 1 } }), ['invalid /subject', 'invalid /body']],
    [
      'null characters',
      written({ subject: 'a\u0000', body: 'a\u0000' }),
      ['invalid /subject', 'invalid /subject', 'invalid /body'],
    ],
    [
      'an invalid placeholder with other violations',
      { subject: '{{ a }}', body: '{{', type: 7 },
      ['missing /name', 'invalid /type', 'invalid /subject', 'invalid /body'],
    ],
    [
      'an invalid placeholder with a body that is too long',
      { ...written({ subject: '{{ a }}' }), body: 'x'.repeat(100_001) },
      ['invalid /body', 'invalid /subject'],
    ],
  ])('is rejected with %s', async (_, body, violations) => {
    expect(expectStatus(422, await api.post('/message_templates', body)).violations).toEqual(violations);
  });

  test('accepts subject and body of the maximum length', async () => {
    expectStatus(
      201,
      await api.post('/message_templates', written({ subject: 'x'.repeat(998), body: 'x'.repeat(100_000) })),
    );
  });
});

describe('the placeholders of a template', () => {
  test('may be any datapath of an application, with any white space around the datapath', async () => {
    const form = await make.form();
    const item =
      (form['sections'] as readonly { readonly items: readonly { readonly id: number }[] }[])[0]?.items[0]?.id ?? 0;
    const body = `<p>{{application.user.firstname}} {{&nbsp;application.candidate.Address.City&nbsp;}} {{ application.opportunity }}
      {{ application.main_process_state.state.name }} {{ application.tags }} {{ application.formdata.${item}:2 }} {{ application.vacancy.description }}
      \\{{ literal }} <a href="https://example.com/{{ application.id }}">x</a></p>`;
    expectStatus(
      201,
      await api.post(
        '/message_templates',
        written({ body, subject: '{{ application.age_days }} {{ application.event.title }}' }),
      ),
    );
  });

  test('are all checked, each with its position and a suggestion', async () => {
    const body =
      '<p>Dear {{ application.user.firstnam }},</p>\n<p>{{ user.id }} {{ }} {{ application.formdata.999999 }} {{ application.opportunity.process.x }}</p>{{ open';
    const { problem } = expectStatus(
      422,
      await api.post('/message_templates', written({ subject: 'On {{ application.submited_dt }}', body })),
    );
    expect(infosOf(problem.errors)).toEqual([
      `/subject 1:19: application has no attribute or relation "submited_dt"; did you mean "submitted_dt"?\n  On {{ application.submited_dt }}\n                    ^^^^^^^^^^^`,
      expect.stringMatching(/^\/body 1:29: .* "firstnam"; did you mean "firstname"\?\n.*\n {30}\^{8}$/),
      expect.stringMatching(/^\/body 2:7: .*; did you mean "application.user.id"\?/),
      expect.stringMatching(
        /^\/body 2:18: expected a datapath such as "application.user.firstname" between "{{" and "}}"/,
      ),
      expect.stringMatching(/^\/body 2:48: .*"999999"/),
      expect.stringMatching(/^\/body 2:93: .* "x"/),
      expect.stringMatching(/^\/body 2:101: expected "}}" after "{{"/),
    ]);
  });

  test.each([
    ['split by an element', '<p>{{ application.<b>user</b>.id }}</p>', '1:19: expected a name but found "<"'],
    ['with a tag between the braces', '<p>{{<i>application.id</i>}}</p>', '1:6: expected a name but found "<"'],
    [
      'written as character references',
      '<p>&#123;&#123; application.nothing }}</p>',
      '1:19: application has no attribute or relation "nothing"',
    ],
    [
      'left over when an element goes',
      '<p>{<script>x</script>{ application.nothing }}</p>',
      '1:19: application has no attribute or relation "nothing"',
    ],
    [
      'in the address of a link',
      '<a href="https://example.com/{{ application.nothing }}">x</a>',
      '1:45: application has no attribute or relation "nothing"',
    ],
    [
      'that name prototypes',
      '{{ application.constructor }}',
      '1:16: application has no attribute or relation "constructor"',
    ],
  ])('%s are rejected', async (_, body, info) => {
    const { problem } = expectStatus(422, await api.post('/message_templates', written({ body })));
    expect(infosOf(problem.errors)).toEqual([expect.stringContaining(`/body ${info}`)]);
  });

  test('are limited to 200 per text', async () => {
    const many = (count: number): string => '{{ application.id }}'.repeat(count);
    expectStatus(201, await api.post('/message_templates', written({ body: many(200) })));
    const { problem } = expectStatus(422, await api.post('/message_templates', written({ body: many(201) })));
    expect(infosOf(problem.errors)).toEqual([
      expect.stringContaining('/body 1:4001: expected at most 200 placeholders'),
    ]);
  });

  test('are limited to 50 related objects together', async () => {
    const sections = [
      {
        name: 'Section',
        items: Array.from({ length: 50 }, (_, index) => ({ key: `k${index}`, label: 'Label', type: 'text' })),
      },
    ];
    const form = await make.form({ sections });
    const items = (form['sections'] as readonly { readonly items: readonly { readonly id: number }[] }[]).flatMap(
      ({ items }) => items.map(({ id }) => `{{ application.formdata.${id} }}`),
    );
    const [last = '', ...most] = [...items].reverse();
    expectStatus(
      201,
      await api.post('/message_templates', written({ body: most.join(' '), subject: most.slice(0, 20).join(' ') })),
    );
    expect(
      expectStatus(422, await api.post('/message_templates', written({ body: [...most, last].join(' ') }))).violations,
    ).toEqual(['invalid /body']);
  });

  test('are checked fast in a text full of braces', async () => {
    for (const body of [
      '{{ '.repeat(33_000),
      `{{ ${'&nbsp;'.repeat(16_000)}`,
      '<p>{{ application.id }}</p>'.repeat(3_000),
    ]) {
      expect(
        expectStatus(422, await api.post('/message_templates', written({ body }))).problem.errors?.length,
      ).toBeLessThanOrEqual(201);
    }
  });
});

describe('the scopes of placeholders', () => {
  const post = async (placeholder: string, ...scopes: readonly string[]) =>
    api.post('/message_templates', written({ body: `x {{ ${placeholder} }}` }), {
      token: await make.token('communications:write', ...scopes),
    });

  test.each([
    ['application.reference', []],
    ['application.user.firstname', []],
    ['application.user.language', ['applications:read']],
    ['application.user', ['applications:read']],
    ['application.opportunity.location', ['applications:read']],
    ['application.opportunity.location', ['applications:read', 'vacancies:read']],
    ['application.vacancy.owner.email', ['applications:read', 'vacancies:read']],
    ['application.candidate.date_of_birth', ['applications:read', 'users:read']],
  ])('are missing when %s has only %j', async (placeholder, scopes) => {
    const { problem } = expectStatus(403, await post(placeholder, ...scopes));
    expect(problem.message).toMatch(
      new RegExp(`lacks the scope [a-z]+:read, which ${placeholder.replaceAll('.', '\\.')}(\\.fullname)? needs`),
    );
  });

  test.each([
    ['application.user.firstname', ['applications:read']],
    ['application.user.language', ['applications:read', 'users:read']],
    ['application.opportunity.location', ['applications:read', 'vacancies:read', 'events:read']],
    ['application.vacancy.owner.email', ['applications:read', 'vacancies:read', 'recruiters:read']],
  ])('are complete when %s has %j', async (placeholder, scopes) => {
    expectStatus(201, await post(placeholder, ...scopes));
  });

  test('are checked in the subject too, and when a template is replaced', async () => {
    const { id } = await make.messageTemplate();
    const token = await make.token(
      'communications:*'.replace('*', 'write'),
      'communications:read',
      'applications:read',
    );
    expectStatus(
      403,
      await api.post('/message_templates', written({ subject: '{{ application.user.language }}' }), { token }),
    );
    expectStatus(
      403,
      await api.put(`/message_templates/${id}`, written({ subject: '{{ application.user.language }}' }), { token }),
    );
    expectStatus(200, await api.put(`/message_templates/${id}`, written(), { token }));
  });
});
