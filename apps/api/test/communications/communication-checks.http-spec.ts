// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { TEXT, commsOf, send, idOf } from './communication-requests.js';

const { api, make } = useApi();

describe('a new communication', () => {
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
    ['an SMS, for which the service has no gateway', { type: 'sms', body: 'x' }, ['channel_unavailable /type']],
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
        'channel_unavailable /type',
      ],
    ],
  ])('is rejected with %s', async (_, body, violations) => {
    const { problem, violations: found } = expectStatus(422, await send(api, await make.application(), body));
    expect([...found].sort()).toEqual([...violations].sort());
    expect(new Set(problem.errors?.map(({ resource }) => resource))).toEqual(new Set(['communications']));
  });

  test('is rejected for an anonymised candidate, whether it is inbound or outbound', async () => {
    const application = await make.application();
    await api.post(`/candidates/${idOf(application['candidate'])}/anonymise`);
    for (const body of [TEXT, { ...TEXT, direction: 'inbound' }, { type: 'note', body: 'x' }]) {
      expect(expectStatus(422, await send(api, application, body)).violations).toEqual(['anonymised ']);
    }
    expect(expectStatus(422, await send(api, application, {})).violations).toEqual([
      'missing /subject',
      'missing /body',
      'anonymised ',
    ]);
  });
});

describe('the preview of a message', () => {
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

  test('hides whether the candidate has an address from credentials without candidates:read', async () => {
    const token = await make.token('communications:read', 'communications:write');
    const withNumber = await make.candidate({ Phone: [{ Label: 'mobile', Number: '+44 2' }] });
    for (const application of [await make.application(), await make.application({ user_id: withNumber.id })]) {
      for (const type of ['email', 'sms']) {
        expect(
          expectStatus(200, await api.post(`${commsOf(application)}/preview`, { ...TEXT, type }, { token })).json,
        ).toEqual({ subject: 'Hello', body: 'Text' });
      }
    }
  });

  test('accepts line breaks in placeholders of plain text, and quotes the text unescaped in violations', async () => {
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

  test('reports all violations of its texts, properties and parameters', async () => {
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
