// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { ITEM_TYPES } from '../support/form-factories.js';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { TEXT, commsOf, send, filledIn } from './communication-requests.js';

const { api, make } = useApi();

describe('a message from a template', () => {
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
    const { subject, body } = await filledIn(api, make, application, {
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
    expect(
      (await filledIn(api, make, application, { body: '{{ application.main_process_state.state.name }}' })).body,
    ).toBe('Submitted');
  });

  test('sets type, subject and template of the message, and the request may name another type', async () => {
    const application = await make.application();
    const template = await make.messageTemplate({ type: 'note', subject: 'On {{ application.reference }}' });
    const { item } = expectStatus(201, await send(api, application, { template_id: template.id }));
    expect(item).toMatchObject({
      type: 'note',
      status: 'sent',
      subject: `On ${String(application['reference'])}`,
      template: { id: template.id, url: template.url },
    });
    expect(
      expectStatus(201, await send(api, application, { template_id: template.id, type: 'email' })).item,
    ).toMatchObject({
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
    const { subject, body } = await filledIn(api, make, application, {
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
    expect((await filledIn(api, make, application, { body: '{{ application.source }}' })).body).toBe(
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
    expect(await filledIn(api, make, application, { body: placeholders(2), subject: `x ${placeholders(2)}` })).toEqual({
      body,
      subject: `x ${plain}`,
    });
    expect((await filledIn(api, make, application, { body: `.${placeholders(1)}.` })).body).toBe(
      `.${'|'.repeat(ITEM_TYPES.length - 1)}.`,
    );
  });

  test('is rejected when it names a deleted form item', async () => {
    const form = await make.form();
    const item = (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id ?? 0;
    const template = await make.messageTemplate({ body: `Dear {{ application.formdata.${item} }}` });
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    const application = await make.application();
    const { problem } = expectStatus(422, await send(api, application, { template_id: template.id }));
    const violation = { resource: 'communications', path: '/template_id', code: 'invalid' };
    const info = 'the body of the template cannot be filled in any more';
    expect(problem.errors).toEqual([
      {
        ...violation,
        info: expect.stringContaining(`${info}: 1:30: application has no form item "${item}"`),
      },
    ]);
    const token = await make.token('communications:create');
    const hidden = await api.post(`${below(application.url)}/comms`, { template_id: template.id }, { token });
    expect(hidden.problem.errors).toEqual([{ ...violation, info }]);
  });

  test('is rejected when the filled-in text is too large', async () => {
    const vacancy = await make.vacancy({ description: 'x'.repeat(60_000), title: 'y'.repeat(255) });
    const application = await make.application({ opportunity_id: vacancy.id });
    const body = await make.messageTemplate({
      body: '{{ application.vacancy.description }}{{ application.vacancy.description }}',
    });
    expect(expectStatus(422, await send(api, application, { template_id: body.id })).problem.errors).toMatchObject([
      { path: '/template_id', code: 'invalid', info: expect.stringContaining('found 120000') },
    ]);
    const subject = await make.messageTemplate({ subject: '{{ application.opportunity.title }}'.repeat(4) });
    expect(expectStatus(422, await send(api, application, { template_id: subject.id })).problem.errors).toMatchObject([
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
      const asNote = await send(api, application, { template_id: template.id, type: 'note' });
      if ('body' in texts) expectStatus(422, asNote);
      else expect(expectStatus(201, asNote).item['subject']).toBeNull();
    }
  });

  test('may have a subject of 998 characters', async () => {
    const application = await make.application();
    const template = await make.messageTemplate({ subject: '😀'.repeat(998), body: 'x' });
    expectStatus(201, await send(api, application, { template_id: template.id }));
    expectStatus(201, await send(api, application, { ...TEXT, subject: '😀'.repeat(998) }));
    expect(expectStatus(422, await send(api, application, { ...TEXT, subject: '😀'.repeat(999) })).violations).toEqual([
      'invalid /subject',
    ]);
  });

  test.each([
    ['application.user.firstname', [], 'applications:read'],
    ['application.user.language', ['applications:read'], 'users:read'],
    ['application.opportunity.location', ['applications:read', 'events:read'], 'vacancies:read'],
    ['application.opportunity.owner.email', ['applications:read', 'vacancies:read'], 'recruiters:read'],
  ])(
    'cannot be sent or previewed with a missing scope: %s needs more than %j',
    async (placeholder, scopes, lacking) => {
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
    },
  );

  test('needs the scope events:read when it names the opportunity of an event application', async () => {
    const application = await make.eventApplication();
    const { id } = await make.messageTemplate({ body: 'Dear {{ application.opportunity.location }}' });
    expectStatus(
      403,
      await send(
        api,
        application,
        { template_id: id },
        { token: await make.token('communications:write', 'applications:read', 'vacancies:read') },
      ),
    );
    expectStatus(
      201,
      await send(
        api,
        application,
        { template_id: id },
        { token: await make.token('communications:write', 'applications:read', 'events:read') },
      ),
    );
  });
});
