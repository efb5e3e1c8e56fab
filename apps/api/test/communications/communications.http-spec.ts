// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { TEXT, commsOf, send, idOf, mailsOf, historyOf, readHtml } from './communication-requests.js';

const { api, make } = useApi();

describe('an e-mail', () => {
  test('is queued with its text sanitised and its braces unchanged', async () => {
    const candidate = await make.candidate({ email: 'quentin@example.com' });
    const application = await make.application({ user_id: candidate.id });
    const { item, headers } = expectStatus(
      201,
      await send(api, application, {
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
    expect(await readHtml(api, item)).toBe('<p>A <b>bold</b> {{ text }}</p>');
    expect(await mailsOf(api, item)).toEqual([{ status: 'due', attempts: 0 }]);
    expect(await historyOf(api, application)).toEqual([]);
  });

  test('names the recruiter of the credential as its user', async () => {
    const recruiter = await make.recruiter();
    const { token } = await make.credential({
      scopes: ['communications:read', 'communications:write'],
      recruiter_id: recruiter.id,
    });
    const { item } = await send(api, await make.application(), TEXT, { token });
    expect(item['user']).toEqual({ id: recruiter.id, url: recruiter.url });
  });
});

describe('a communication that the service does not send', () => {
  test.each([
    ['a note', { type: 'note', body: 'Called, no answer' }],
    ['a note with a subject', { type: 'note', subject: 'Call', body: 'No answer' }],
    ['an inbound e-mail', { type: 'email', direction: 'inbound', ...TEXT }],
    ['an inbound SMS', { type: 'sms', direction: 'inbound', body: 'On my way' }],
  ])('has the status sent at once and no history entry: %s', async (_, body) => {
    const application = await make.application();
    const { item } = expectStatus(201, await send(api, application, body));
    expect(item).toMatchObject({
      status: 'sent',
      to: [],
      sent_dt: expect.any(String),
      direction: 'direction' in body ? 'inbound' : 'outbound',
      subject: 'subject' in body ? body.subject : null,
    });
    expect(await mailsOf(api, item)).toEqual([]);
    expect(await historyOf(api, application)).toEqual([]);
  });

  test('is refused and not stored when it is an SMS to the candidate, because the service has no gateway', async () => {
    const candidate = await make.candidate({ Phone: [{ Label: 'mobile', Number: '+44 2' }] });
    const application = await make.application({ user_id: candidate.id });
    const { id } = await make.messageTemplate({ type: 'sms', subject: 'Appointment', body: 'See you at 9' });
    const given = [
      [{ type: 'sms', body: 'See you at 9' }, 'channel_unavailable /type'],
      [{ type: 'sms', template_id: id }, 'channel_unavailable /type'],
      [{ template_id: id }, 'channel_unavailable /template_id'],
    ] as const;
    for (const [body, violation] of given)
      expect(expectStatus(422, await send(api, application, body)).violations).toEqual([violation]);
    expect((await api.get(commsOf(application))).items).toEqual([]);
    expectStatus(200, await api.post(`${commsOf(application)}/preview`, { template_id: id }));
  });
});

describe('the communications of an application', () => {
  test.each([
    ['applications', 'event_applications'],
    ['vacancy_applications', 'event_registrations'],
    ['event_applications', 'applications'],
    ['event_registrations', 'vacancy_applications'],
  ])('are found under /%s and not under /%s', async (own, other) => {
    const application = own.startsWith('event') ? await make.eventApplication() : await make.application();
    const { item } = expectStatus(201, await api.post(`/${own}/${application.id}/comms`, TEXT));
    expect((await api.get(`/${own}/${application.id}/comms`)).items).toEqual([item]);
    expect(item['application']).toEqual({ id: application.id, url: application.url });
    expectStatus(404, await api.get(`/${other}/${application.id}/comms`));
    expectStatus(404, await api.post(`/${other}/${application.id}/comms`, TEXT));
    expectStatus(404, await api.post(`/${other}/${application.id}/comms/preview`, TEXT));
  });

  test('do not include communications of other applications', async () => {
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
    expectStatus(403, await send(api, application, TEXT, { token: reader }));
    expectStatus(201, await send(api, application, TEXT, { token: writer }));
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

describe('a repeated request', () => {
  test('sends one message, and anonymising the candidate deletes the stored answer', async () => {
    const application = await make.application();
    const headers = { 'idempotency-key': 'one-message' };
    const first = expectStatus(201, await send(api, application, TEXT, { headers }));
    const again = expectStatus(201, await send(api, application, TEXT, { headers }));
    expect([again.text, again.headers['location']]).toEqual([first.text, first.headers['location']]);
    expect((await api.get(commsOf(application))).items).toHaveLength(1);
    expect(
      expectStatus(422, await send(api, application, { ...TEXT, subject: 'Other' }, { headers })).violations,
    ).toEqual(['idempotency_mismatch ']);
    await api.post(`/candidates/${idOf(application['candidate'])}/anonymise`);
    expect(expectStatus(422, await send(api, application, TEXT, { headers })).violations).toEqual(['anonymised ']);
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
    expect(await mailsOf(api, mail)).toEqual([{ status: 'cancelled', attempts: 0 }]);
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

  test('lose only the reference when their template is deleted, and cannot be found by the template', async () => {
    const [template, other] = [await make.messageTemplate(), await make.messageTemplate()];
    const application = await make.application();
    const communication = expectStatus(201, await send(api, application, { template_id: template.id })).item;
    const kept = expectStatus(201, await send(api, application, { template_id: other.id })).item;
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
    expect(await mailsOf(api, communication)).toEqual([]);
    expect((await api.get(`/selections/${selection.id}`)).item['member_count']).toBe(0);
  });
});
