import { describe, expect, test } from '@jest/globals';
import { ITEM_TYPES } from '../support/form-factories.js';
import { identityOf, type Answer, type Item } from '../support/answer.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const TEXT = { subject: 'Hello', body: '<p>Text</p>' };
const commsOf = ({ url }: Item): string => `${below(url)}/comms`;
const send = (application: Item, body: object, options?: RequestOptions): Promise<Answer> =>
  api.post(commsOf(application), body, options);
const idOf = (reference: unknown): number => (reference as Item).id;
const mailsOf = ({ id }: Item): Promise<object[]> =>
  api.database.query('SELECT status, attempts FROM outgoing_mails WHERE communication_id = $1', [id]);
const historyOf = async ({ url }: Item): Promise<readonly object[]> =>
  (
    (await api.get(`${below(url)}/history`)).json as { readonly items: readonly { readonly type: string }[] }
  ).items.filter(({ type }) => type === 'comm_sent');
const readHtml = async ({ id }: Item): Promise<unknown> =>
  (await api.get(`/communications/${id}?rich_txt_fmt=html`)).item['body'];

/** Sends a message from a new template for an application. */
async function filledIn(
  application: Item,
  template: { readonly subject?: string; readonly body?: string },
): Promise<{ readonly subject: unknown; readonly body: unknown }> {
  const { id } = await make.messageTemplate({ body: 'Body', ...template });
  const { item } = expectStatus(201, await send(application, { template_id: id }));
  return { subject: item['subject'], body: await readHtml(item) };
}

describe('an e-mail', () => {
  test('is queued with its text sanitised and its braces unchanged', async () => {
    const candidate = await make.candidate({ email: 'quentin@example.com' });
    const application = await make.application({ user_id: candidate.id });
    const { item, headers } = expectStatus(
      201,
      await send(application, {
        subject: 'Hello {{ you }}',
        body: '<p>A <b>bold</b> {{ text }}<script>x</script></p>',
      }),
    );
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/communications/${item.id}`),
      type: 'email',
      direction: 'outbound',
      status: 'queued',
      subject: 'Hello {{ you }}',
      body: 'A bold {{ text }}',
      to: ['quentin@example.com'],
      application: { id: application.id, url: application.url },
      candidate: { id: candidate.id, url: candidate.url },
      user: { id: expect.any(Number), url: expect.stringMatching(/\/recruiters\/\d+$/) },
      template: null,
      sent_dt: null,
      failed_reason: null,
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/communications/${item.id}`)).item).toEqual(item);
    expect(await readHtml(item)).toBe('<p>A <b>bold</b> {{ text }}</p>');
    expect(await mailsOf(item)).toEqual([{ status: 'due', attempts: 0 }]);
    expect(await historyOf(application)).toEqual([]);
  });

  test('names the recruiter of the credential as its user', async () => {
    const recruiter = await make.recruiter();
    const { token } = await make.credential({ scopes: ['communications:write'], recruiter_id: recruiter.id });
    const { item } = await send(await make.application(), TEXT, { token });
    expect(item['user']).toEqual({ id: recruiter.id, url: recruiter.url });
  });
});

describe('a communication that is not sent', () => {
  test.each([
    ['a note', { type: 'note', body: 'Called, no answer' }],
    ['a note with a subject', { type: 'note', subject: 'Call', body: 'No answer' }],
    ['an inbound e-mail', { type: 'email', direction: 'inbound', ...TEXT }],
    ['an inbound SMS', { type: 'sms', direction: 'inbound', body: 'On my way' }],
  ])('gets the status sent at once and no history entry: %s', async (_, body) => {
    const application = await make.application();
    const { item } = expectStatus(201, await send(application, body));
    expect(item).toMatchObject({
      status: 'sent',
      to: [],
      sent_dt: expect.any(String),
      direction: 'direction' in body ? 'inbound' : 'outbound',
      subject: 'subject' in body ? body.subject : null,
    });
    expect(await mailsOf(item)).toEqual([]);
    expect(await historyOf(application)).toEqual([]);
  });

  test('stays queued to the mobile number when it is an SMS', async () => {
    const candidate = await make.candidate({
      Phone: [
        { Label: 'home', Number: '+44 1' },
        { Label: 'mobile', Number: '+44 2' },
      ],
    });
    const application = await make.application({ user_id: candidate.id });
    const { item } = expectStatus(201, await send(application, { type: 'sms', body: 'See you at 9' }));
    expect(item).toMatchObject({ status: 'queued', to: ['+44 2'], subject: null, sent_dt: null });
    expect(await mailsOf(item)).toEqual([]);
    expect(await historyOf(application)).toEqual([]);
  });
});

describe('a body', () => {
  const UNKNOWN = 999_999_999;
  test.each([
    ['no properties', {}, ['missing /body', 'missing /subject']],
    ['no subject', { body: 'x' }, ['missing /subject']],
    ['no subject of an inbound e-mail', { body: 'x', direction: 'inbound' }, ['missing /subject']],
    ['no text', { type: 'note' }, ['missing /body']],
    ['an empty text', { subject: '', body: ' ' }, ['invalid /subject', 'invalid /body']],
    ['elements without text', { ...TEXT, body: '<p> <br></p>' }, ['invalid /body']],
    ['a script alone', { ...TEXT, body: '<script>x</script>' }, ['invalid /body']],
    [
      'an unknown type and direction',
      { ...TEXT, type: 'fax', direction: 'up' },
      ['invalid /type', 'invalid /direction'],
    ],
    ['a line break in its subject', { ...TEXT, subject: 'a\r\nBcc: b@example.com' }, ['invalid /subject']],
    ['a subject that is too long', { ...TEXT, subject: 'x'.repeat(999) }, ['invalid /subject']],
    ['a text that is too long', { ...TEXT, body: 'x'.repeat(100_001) }, ['invalid /body']],
    ['an unknown template', { template_id: UNKNOWN }, ['invalid /template_id']],
    ['a template id that is not a number', { template_id: 'x' }, ['invalid /template_id']],
    ['the template id 0', { template_id: 0 }, ['invalid /template_id']],
    ['a template and a text', { ...TEXT, template_id: UNKNOWN }, ['invalid /template_id', 'invalid /template_id']],
    [
      'a template for an inbound e-mail',
      { direction: 'inbound', template_id: UNKNOWN },
      ['invalid /template_id', 'invalid /template_id'],
    ],
    ['an SMS without a number', { type: 'sms', body: 'x' }, ['no_address ']],
    [
      'several violations',
      { type: 'sms', subject: 7, body: [], to: ['x'], status: 'sent', template_id: UNKNOWN },
      [
        'invalid /subject',
        'invalid /body',
        'invalid /to',
        'invalid /status',
        'invalid /template_id',
        'invalid /template_id',
        'no_address ',
      ],
    ],
  ])('is rejected with %s', async (_, body, violations) => {
    const { problem, violations: found } = expectStatus(422, await send(await make.application(), body));
    expect([...found].sort()).toEqual([...violations].sort());
    expect(new Set(problem.errors?.map(({ resource }) => resource))).toEqual(new Set(['communications']));
  });

  test('is rejected for an anonymised candidate in both directions', async () => {
    const application = await make.application();
    await api.post(`/candidates/${idOf(application['candidate'])}/anonymise`);
    for (const body of [TEXT, { ...TEXT, direction: 'inbound' }, { type: 'note', body: 'x' }]) {
      expect(expectStatus(422, await send(application, body)).violations).toEqual(['anonymised ']);
    }
    expect(expectStatus(422, await send(application, {})).violations).toEqual([
      'missing /subject',
      'missing /body',
      'anonymised ',
    ]);
  });
});

describe('the communications of an application', () => {
  test.each([
    ['applications', 'event_applications'],
    ['vacancy_applications', 'event_registrations'],
    ['event_applications', 'applications'],
    ['event_registrations', 'vacancy_applications'],
  ])('are found at %s and not at %s', async (own, other) => {
    const application = own.startsWith('event') ? await make.eventApplication() : await make.application();
    const { item } = expectStatus(201, await api.post(`/${own}/${application.id}/comms`, TEXT));
    expect((await api.get(`/${own}/${application.id}/comms`)).items).toEqual([item]);
    expect(item['application']).toEqual({ id: application.id, url: application.url });
    expectStatus(404, await api.get(`/${other}/${application.id}/comms`));
    expectStatus(404, await api.post(`/${other}/${application.id}/comms`, TEXT));
    expectStatus(404, await api.post(`/${other}/${application.id}/comms/preview`, TEXT));
  });

  test('leave out those of other applications', async () => {
    const candidate = await make.candidate();
    const [one, other] = [
      await make.application({ user_id: candidate.id }),
      await make.application({ user_id: candidate.id }),
    ];
    const first = await make.communication({ application: one });
    await make.communication({ application: other });
    const second = await make.communication({ application: one, type: 'note' });
    expect((await api.get(commsOf(one), { headers: { 'api-version': '1.9' } })).items).toEqual([first, second]);
    expect((await api.get(`/communications?search=/candidate/id=${candidate.id}`)).items).toHaveLength(3);
  });

  test('can be sorted, filtered, searched and paged', async () => {
    const application = await make.application();
    const ids: number[] = [];
    for (const subject of ['Alpha', 'Beta', 'Gamma'])
      ids.push((await make.communication({ application, subject, type: subject === 'Beta' ? 'note' : 'email' })).id);
    const list = async (query: string) => (await api.get(`${commsOf(application)}?${query}`)).items.map(({ id }) => id);
    const [alpha, beta, gamma] = ids;
    expect(await list('sort=subject!desc')).toEqual([gamma, beta, alpha]);
    expect(await list('filter=ALPH')).toEqual([alpha]);
    expect(await list('search=/status=queued')).toEqual([alpha, gamma]);
    expect(
      await list(`search=application.user.email=${String((application['user'] as Item)['email'])}&search=/type=note`),
    ).toEqual([beta]);
    const page = await api.get(`${commsOf(application)}?per_page=2`);
    expect(page.headers).toMatchObject({
      'x-total-count': '3',
      link: expect.stringContaining(`${commsOf(application)}?per_page=2&page=2`),
    });
    const next = /<([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? '';
    expect((await api.get(below(next))).items.map(({ id }) => id)).toEqual([gamma]);
    expect((await api.get(`${commsOf(application)}?search=/nothing=1&per_page=0`)).violations).toEqual([
      'invalid ?per_page',
      'invalid ?search',
    ]);
  });

  test('can be shown with a layout and limited to a selection', async () => {
    const application = await make.application();
    const communication = await make.communication({ application });
    await make.communication({ application });
    const layout = await make.layout({
      resource: 'communications',
      columns: [
        { title: 'Who', datapath: 'communication.candidate' },
        { title: 'For', datapath: 'application.opportunity.title' },
      ],
    });
    const selection = await make.selection({ resource: 'communications', members: [communication] });
    const { items } = await api.get(`${commsOf(application)}?layout=${layout.id}&selection=${selection.id}`);
    expect(items).toEqual([
      {
        ...communication,
        layout_data: [{ value: 'Ada Byron', value_raw: idOf(application['candidate']) }, { value: 'Engineer' }],
      },
    ]);
    expect((await api.get(`/communications/${communication.id}?layout=${layout.id}`)).item['layout_data']).toEqual(
      items[0]?.['layout_data'],
    );
  });

  test('need the scopes of communications and of the resources in a search', async () => {
    const application = await make.application();
    await make.communication({ application });
    const [reader, writer] = [await make.token('communications:read'), await make.token('communications:write')];
    expect((await api.get(commsOf(application), { token: reader })).items).toHaveLength(1);
    expectStatus(403, await api.get(commsOf(application), { token: writer }));
    expectStatus(403, await send(application, TEXT, { token: reader }));
    expectStatus(201, await send(application, TEXT, { token: writer }));
    expectStatus(
      403,
      await api.get(`${commsOf(application)}?search=communication.candidate.lastname=~x`, { token: reader }),
    );
    expectStatus(
      403,
      await api.get('/communications?sort=communication.application.created_dt!asc', { token: reader }),
    );
  });

  test.each([
    ['POST', '/api/v1/communications'],
    ['PUT', '/api/v1/communications/:id'],
    ['DELETE', '/api/v1/communications/:id'],
    ['PUT', '/api/v1/applications/:application/comms'],
    ['DELETE', '/api/v1/applications/:application/comms'],
    ['GET', '/api/v1/applications/:application/comms/preview'],
  ] as const)('answer 405 to %s %s', async (method, path) => {
    const communication = await make.communication();
    const filled = path
      .replace(':id', String(communication.id))
      .replace(':application', String(idOf(communication['application'])));
    const answer = expectStatus(405, await api.request(method, filled, { body: TEXT }));
    expect(answer.headers['allow']).toBeTruthy();
  });
});

describe('a template', () => {
  test('is filled in from the application, in the language of the candidate', async () => {
    const candidate = await make.candidate({
      firstname: 'Zoë',
      lastname: "O'Hara",
      date_of_birth: '1990-12-10',
      tags: ['a', 'b'],
    });
    await api.database.query(`UPDATE users SET language = 'de' WHERE id = $1`, [candidate.id]);
    const vacancy = await make.vacancy({
      title: 'Head of R&D',
      description: '<p>With <b>style</b></p>',
      salary_min: 50_000.5,
    });
    const posting = await make.posting({ vacancy_id: vacancy.id });
    const application = await make.application({
      user_id: candidate.id,
      opportunity_id: vacancy.id,
      posting_id: posting.id,
      rating: 4,
    });
    const { subject, body } = await filledIn(application, {
      subject: '{{ application.opportunity.title }} for {{application.user}}',
      body: [
        '<p>{{ application.candidate.date_of_birth }}|{{ application.candidate.tags }}',
        '{{ application.vacancy.salary_min }}|{{ application.rating }}|{{ application.source }}',
        '{{ application.event.title }}|{{ application.opportunity.title }}</p>\n' +
          '        {{ application.vacancy.description }}{{ application.main_process_state.state.name }}',
        '{{ application.submitted_dt }}|{{ application.posting.is_withdrawn }}|\\{{ x }}',
      ].join('|'),
    });
    expect(subject).toBe("Head of R&D for Zoë O'Hara");
    expect(body).toBe(
      '<p>1990-12-10|a, b|50000.5|4|||Head of R&amp;D</p>\n' +
        `        <p>With <b>style</b></p>Eingegangen|${String(application['submitted_dt'])}|false|{{ x }}`,
    );
  });

  test('uses the language of the system when the candidate has none', async () => {
    const application = await make.application();
    expect((await filledIn(application, { body: '{{ application.main_process_state.state.name }}' })).body).toBe(
      'Submitted',
    );
  });

  test('sets type, subject and template of the message, and the request may name another type', async () => {
    const application = await make.application();
    const template = await make.messageTemplate({ type: 'note', subject: 'On {{ application.reference }}' });
    const { item } = expectStatus(201, await send(application, { template_id: template.id }));
    expect(item).toMatchObject({
      type: 'note',
      status: 'sent',
      subject: `On ${String(application['reference'])}`,
      template: { id: template.id, url: template.url },
    });
    expect(expectStatus(201, await send(application, { template_id: template.id, type: 'email' })).item).toMatchObject({
      type: 'email',
      status: 'queued',
    });
  });

  test('escapes markup of values in the body, and removes line breaks of values in the subject', async () => {
    const firstname = '<script>alert(1)</script>';
    const lastname = 'X\r\nBcc: everybody@example.com\u2028"><img src=x onerror=alert(1)>';
    const candidate = await make.candidate({ firstname, lastname });
    const application = await make.application({
      user_id: candidate.id,
      source: 'javascript:alert(1)//" onmouseover="alert(2)',
    });
    const { subject, body } = await filledIn(application, {
      subject: '{{ application.user.firstname }} {{ application.user.lastname }}',
      body: [
        '{{ application.user.firstname }}',
        '{{ application.user.lastname }}',
        '<a href="{{ application.source }}">a</a>',
        '<a href="https://example.com/?q={{ application.source }}">b</a>',
      ].join('|'),
    });
    expect(subject).toBe('<script>alert(1)</script> X Bcc: everybody@example.com "><img src=x onerror=alert(1)>');
    expect(body).toBe(
      [
        '&lt;script&gt;alert(1)&lt;/script&gt;',
        'X<br />Bcc: everybody@example.com<br />"&gt;&lt;img src=x onerror=alert(1)&gt;',
        '<a rel="noopener noreferrer nofollow">a</a>',
        '<a href="https://example.com/?q=javascript%3Aalert(1)%2F%2F%22%20onmouseover%3D%22alert(2)"' +
          ' rel="noopener noreferrer nofollow">b</a>',
      ].join('|'),
    );
  });

  test('does not fill in placeholders in values', async () => {
    const application = await make.application({ source: '{{ application.user.email }}' });
    expect((await filledIn(application, { body: '{{ application.source }}' })).body).toBe(
      '{{ application.user.email }}',
    );
  });

  test('fills in form values of every item type', async () => {
    const options = [
      { value: 'B', label: { en: 'Car', de: 'Auto' } },
      { value: 'C', label: 'Lorry <big>' },
    ];
    const items = ITEM_TYPES.map((type) => ({
      key: type,
      label: type,
      type,
      ...(type.endsWith('select') && { options }),
    }));
    const form = await make.form({ sections: [{ name: 'Section', repeatable: true, items }] });
    const made =
      (form['sections'] as readonly { readonly items: readonly { readonly id: number; readonly type: string }[] }[])[0]
        ?.items ?? [];
    const values = {
      text: 'a < b',
      textarea: 'a\nb',
      rich_text: '<b>x</b>',
      integer: -7,
      decimal: 0.5,
      boolean: false,
      date: '2026-02-28',
      datetime: '2026-02-28T10:00:00.000Z',
      single_select: 'C',
      multi_select: ['C', 'B'],
      email: 'a@example.com',
      phone: '+44 1',
    };
    const application = await make.application();
    const form_values = made.map(({ id, type }) => ({
      item_id: id,
      section_instance: 2,
      value: values[type as keyof typeof values],
    }));
    expectStatus(200, await api.post(`${below(application.url)}/form_values`, { form_values }));
    const placeholders = (section: number): string =>
      made.map(({ id }) => `{{ application.formdata.${id}:${section} }}`).join('|');
    const expected = [
      'a &lt; b',
      'a<br />b',
      '<b>x</b>',
      '-7',
      '0.5',
      'false',
      '2026-02-28',
      '2026-02-28T10:00:00.000Z',
      'Lorry &lt;big&gt;',
      'Lorry &lt;big&gt;, Car',
      'a@example.com',
      '+44 1',
    ];
    const body = expected.join('|');
    const plain = body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replace('<br />', ' ').replace('<b>x</b>', 'x');
    expect(await filledIn(application, { body: placeholders(2), subject: `x ${placeholders(2)}` })).toEqual({
      body,
      subject: `x ${plain}`,
    });
    expect((await filledIn(application, { body: `.${placeholders(1)}.` })).body).toBe(
      `.${'|'.repeat(ITEM_TYPES.length - 1)}.`,
    );
  });

  test('is rejected when it names a deleted form item', async () => {
    const form = await make.form();
    const item = (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id ?? 0;
    const template = await make.messageTemplate({ body: `Dear {{ application.formdata.${item} }}` });
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    const { problem } = expectStatus(422, await send(await make.application(), { template_id: template.id }));
    expect(problem.errors).toEqual([
      {
        resource: 'communications',
        path: '/template_id',
        code: 'invalid',
        info: expect.stringContaining(
          `the body of the template cannot be filled in any more: 1:30: application has no form item "${item}"`,
        ),
      },
    ]);
  });

  test('is rejected when the filled-in text is too large', async () => {
    const vacancy = await make.vacancy({ description: 'x'.repeat(60_000), title: 'y'.repeat(255) });
    const application = await make.application({ opportunity_id: vacancy.id });
    const body = await make.messageTemplate({
      body: '{{ application.vacancy.description }}{{ application.vacancy.description }}',
    });
    expect(expectStatus(422, await send(application, { template_id: body.id })).problem.errors).toMatchObject([
      { path: '/template_id', code: 'invalid', info: expect.stringContaining('found 120000') },
    ]);
    const subject = await make.messageTemplate({ subject: '{{ application.opportunity.title }}'.repeat(4) });
    expect(expectStatus(422, await send(application, { template_id: subject.id })).problem.errors).toMatchObject([
      { path: '/template_id', code: 'invalid', info: expect.stringContaining('found 1020') },
    ]);
  });

  test('is rejected when the filled-in text is empty, but only e-mails need a subject', async () => {
    const application = await make.application();
    for (const texts of [{ subject: '{{ application.source }}' }, { body: '<p>{{ application.source }}</p>' }]) {
      const template = await make.messageTemplate({ subject: 'Subject', body: 'Body', ...texts });
      for (const path of ['', '/preview']) {
        const { problem } = expectStatus(
          422,
          await api.post(`${commsOf(application)}${path}`, { template_id: template.id }),
        );
        expect(problem.errors).toMatchObject([
          { path: '/template_id', code: 'invalid', info: expect.stringContaining('expected a text that is not empty') },
        ]);
      }
      const asNote = await send(application, { template_id: template.id, type: 'note' });
      if ('body' in texts) expectStatus(422, asNote);
      else expect(expectStatus(201, asNote).item['subject']).toBeNull();
    }
  });

  test('may have a subject of 998 characters', async () => {
    const application = await make.application();
    const template = await make.messageTemplate({ subject: '😀'.repeat(998), body: 'x' });
    expectStatus(201, await send(application, { template_id: template.id }));
    expectStatus(201, await send(application, { ...TEXT, subject: '😀'.repeat(998) }));
    expect(expectStatus(422, await send(application, { ...TEXT, subject: '😀'.repeat(999) })).violations).toEqual([
      'invalid /subject',
    ]);
  });

  test.each([
    ['application.user.firstname', [], 'applications:read'],
    ['application.user.language', ['applications:read'], 'users:read'],
    ['application.opportunity.location', ['applications:read', 'events:read'], 'vacancies:read'],
    ['application.opportunity.owner.email', ['applications:read', 'vacancies:read'], 'recruiters:read'],
  ])('with %s cannot be sent or previewed with the scopes %j alone', async (placeholder, scopes, lacking) => {
    const application = await make.application();
    const { id } = await make.messageTemplate({ body: `Dear {{ ${placeholder} }}` });
    const less = await make.token('communications:read', 'communications:write', ...scopes);
    const enough = await make.token('communications:write', ...scopes, lacking);
    for (const path of ['', '/preview']) {
      const { problem } = expectStatus(
        403,
        await api.post(`${commsOf(application)}${path}`, { template_id: id }, { token: less }),
      );
      expect(problem.message).toBe(`The credential lacks the scope ${lacking}, which ${placeholder} needs`);
      expectStatus(
        path === '' ? 201 : 200,
        await api.post(`${commsOf(application)}${path}`, { template_id: id }, { token: enough }),
      );
    }
    expect((await api.get(commsOf(application))).items).toHaveLength(1);
  });

  test('for an event application needs the scope of events', async () => {
    const application = await make.eventApplication();
    const { id } = await make.messageTemplate({ body: 'Dear {{ application.opportunity.location }}' });
    expectStatus(
      403,
      await send(
        application,
        { template_id: id },
        { token: await make.token('communications:write', 'applications:read', 'vacancies:read') },
      ),
    );
    expectStatus(
      201,
      await send(
        application,
        { template_id: id },
        { token: await make.token('communications:write', 'applications:read', 'events:read') },
      ),
    );
  });
});

describe('a preview', () => {
  const preview = (application: Item, body: object, query = ''): Promise<Answer> =>
    api.post(`${commsOf(application)}/preview${query}`, body);

  test('shows a filled-in template or text, and stores nothing', async () => {
    const application = await make.application();
    const template = await make.messageTemplate({
      subject: 'Hi {{ application.user.firstname }}',
      body: '<p>{{ application.reference }}</p>',
    });
    const texts = { subject: 'Hi {{ application.user.firstname }}', body: '<p>{{ application.reference }}</p>' };
    for (const body of [{ template_id: template.id }, texts]) {
      expect(expectStatus(200, await preview(application, body)).json).toEqual({
        subject: 'Hi Ada',
        body: application['reference'],
      });
      expect(expectStatus(200, await preview(application, body, '?rich_txt_fmt=html')).json).toMatchObject({
        body: `<p>${String(application['reference'])}</p>`,
      });
    }
    expect(expectStatus(200, await preview(application, { type: 'note', body: 'x' })).json).toEqual({
      subject: '',
      body: 'x',
    });
    expect((await api.get(commsOf(application))).items).toEqual([]);
  });

  test('hides from credentials without candidates:read whether an address exists', async () => {
    const token = await make.token('communications:write');
    const withNumber = await make.candidate({ Phone: [{ Label: 'mobile', Number: '+44 2' }] });
    for (const application of [await make.application(), await make.application({ user_id: withNumber.id })]) {
      for (const type of ['email', 'sms']) {
        expect(
          expectStatus(200, await api.post(`${commsOf(application)}/preview`, { ...TEXT, type }, { token })).json,
        ).toEqual({ subject: 'Hello', body: 'Text' });
      }
    }
  });

  test('accepts line breaks within the braces of plain text, and quotes the text unescaped in violations', async () => {
    const application = await make.application();
    expect(
      expectStatus(200, await preview(application, { ...TEXT, body: 'Dear\n{{\r\napplication.id\n}}' })).json,
    ).toMatchObject({ body: `Dear\n${application.id}` });
    const { problem } = expectStatus(
      422,
      await preview(application, { ...TEXT, body: 'Dear\n{{ application\n-id < 1 }}' }),
    );
    expect(problem.errors).toMatchObject([{ path: '/body', info: expect.not.stringMatching(/&lt;|<br/) }]);
  });

  test.each([
    '[]',
    'null',
    '"text"',
    '7',
    '{}',
    '{"template_id":[]}',
    '{"template_id":1e300}',
    '{"template_id":-1}',
    '{"body":{}}',
    '{"body":"\\u0000"}',
    '{"body":"\\ud800"}',
    '{"body":"x","subject":"\\ud800"}',
    '{"body":"x","type":["email"]}',
    '{"body":"<b>","subject":"a\\nb"}',
    `{"body":"${'<b>'.repeat(20_000)}"}`,
  ])('is rejected for the body %s', async (payload) => {
    const application = await make.application();
    for (const path of ['', '/preview'])
      expectStatus(
        422,
        await api.post(`${commsOf(application)}${path}`, undefined, {
          payload,
          headers: { 'content-type': 'application/json' },
        }),
      );
  });

  test('reports all violations', async () => {
    const application = await make.application();
    expect(
      expectStatus(422, await preview(application, { type: 'sms', subject: '{{ a }}', body: '{{' })).violations,
    ).toEqual(['invalid /subject', 'invalid /body']);
    expect(expectStatus(422, await preview(application, {})).violations).toEqual(['missing /subject', 'missing /body']);
    expect(
      expectStatus(422, await preview(application, { subject: 'x', body: '<p>{{ application.source }}</p>' }))
        .violations,
    ).toEqual(['invalid /body']);
    expect(
      expectStatus(422, await preview(application, { subject: '{{ application.source }}', body: 'x' })).violations,
    ).toEqual(['invalid /subject']);
    expect(expectStatus(400, await preview(application, TEXT, '?rich_txt_fmt=text&a=1')).violations).toEqual([
      'invalid ?a',
      'invalid ?rich_txt_fmt',
    ]);
    expect(expectStatus(422, await preview(application, { ...TEXT, direction: 'inbound' })).violations).toEqual([
      'invalid /direction',
    ]);
    const tooMuch = '{{ application.candidate.current_employer }}'.repeat(4);
    const candidate = await make.candidate({ current_employer: 'x'.repeat(255) });
    const large = await make.application({ user_id: candidate.id });
    expect(expectStatus(422, await preview(large, { subject: tooMuch, body: 'x' })).violations).toEqual([
      'invalid /subject',
    ]);
    expect(
      expectStatus(422, await preview(large, { body: `${'x'.repeat(99_800)}${tooMuch}`, type: 'note' })).violations,
    ).toEqual(['invalid /body']);
  });
});

describe('a repeated request', () => {
  test('writes one message, and anonymisation deletes the stored answer', async () => {
    const application = await make.application();
    const headers = { 'idempotency-key': 'one-message' };
    const first = expectStatus(201, await send(application, TEXT, { headers }));
    const again = expectStatus(201, await send(application, TEXT, { headers }));
    expect([again.text, again.headers['location']]).toEqual([first.text, first.headers['location']]);
    expect((await api.get(commsOf(application))).items).toHaveLength(1);
    expect(expectStatus(422, await send(application, { ...TEXT, subject: 'Other' }, { headers })).violations).toEqual([
      'idempotency_mismatch ',
    ]);
    await api.post(`/candidates/${idOf(application['candidate'])}/anonymise`);
    expect(expectStatus(422, await send(application, TEXT, { headers })).violations).toEqual(['anonymised ']);
  });
});

describe('existing communications', () => {
  test('lose their texts, and queued e-mails are cancelled, when the candidate is anonymised', async () => {
    const application = await make.application();
    const [mail, note] = [
      await make.communication({ application }),
      await make.communication({ application, type: 'note' }),
    ];
    expectStatus(200, await api.post(`/candidates/${idOf(application['candidate'])}/anonymise`));
    const blanked = { subject: null, body: '', to: [] };
    expect((await api.get(`/communications/${mail.id}`)).item).toMatchObject({
      ...blanked,
      status: 'failed',
      failed_reason: 'anonymised',
      sent_dt: null,
    });
    expect((await api.get(`/communications/${note.id}`)).item).toMatchObject({
      ...blanked,
      status: 'sent',
      failed_reason: null,
    });
    expect((await api.get(`/communications/${note.id}`)).item['updated_dt']).not.toBe(note['updated_dt']);
    expect(await mailsOf(mail)).toEqual([{ status: 'cancelled', attempts: 0 }]);
  });

  test('stay with the candidate when the application is deleted', async () => {
    const application = await make.application();
    const communication = await make.communication({ application });
    await api.database.query(`UPDATE communications SET updated_dt = '2020-01-01' WHERE id = $1`, [communication.id]);
    expectStatus(204, await api.delete(below(application.url)));
    expect((await api.get(`/communications/${communication.id}`)).item).toMatchObject({
      application: null,
      candidate: application['candidate'],
    });
    expect(
      (await api.get(`/communications?search=/updated_dt>2020-01-02T00:00:00.000Z&search=/id=${communication.id}`))
        .items,
    ).toHaveLength(1);
  });

  test('lose only the reference when their template is deleted, and no search finds them by it', async () => {
    const [template, other] = [await make.messageTemplate(), await make.messageTemplate()];
    const application = await make.application();
    const communication = expectStatus(201, await send(application, { template_id: template.id })).item;
    const kept = expectStatus(201, await send(application, { template_id: other.id })).item;
    expectStatus(204, await api.delete(`/message_templates/${template.id}`));
    expect((await api.get(`/communications/${communication.id}`)).item).toEqual({ ...communication, template: null });
    const found = async (search: string): Promise<readonly number[]> =>
      (await api.get(`${commsOf(application)}?search=${search}`)).items.map(({ id }) => id);
    expect(await found(`/template/id=${template.id}`)).toEqual([]);
    expect(await found('/template/id=')).toEqual([communication.id]);
    expect(await found('/template/id!=')).toEqual([kept.id]);
  });

  test('are deleted with the candidate, also from selections', async () => {
    const application = await make.application();
    const communication = await make.communication({ application });
    const selection = await make.selection({ resource: 'communications', members: [communication] });
    expectStatus(204, await api.delete(below(application.url)));
    expectStatus(204, await api.delete(`/candidates/${idOf(application['candidate'])}`));
    expectStatus(404, await api.get(`/communications/${communication.id}`));
    expect(await mailsOf(communication)).toEqual([]);
    expect((await api.get(`/selections/${selection.id}`)).item['member_count']).toBe(0);
  });
});
