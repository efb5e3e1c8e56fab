import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openVacancy, subscribe } from './support/api-client.js';
import { MailServer } from './support/mail-server.js';
import { Receiver } from './support/receiver.js';
import { Service } from './support/service.js';
import { attributesOf, type CollectedSpan, TraceCollector } from './support/trace-collector.js';
import { waitUntil } from './support/wait-until.js';

const WAIT_MS = 60_000;
const PERSON = { firstname: 'Fridolin', lastname: 'Ungewitter', email: 'fridolin.ungewitter@example.com' };
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

let service: Service;
let collector: TraceCollector;
let receiver: Receiver;
let mails: MailServer;

beforeAll(async () => {
  [collector, receiver, mails] = await Promise.all([TraceCollector.start(), Receiver.start(), MailServer.start()]);
  service = await Service.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    SMTP_URL: mails.url,
    LOG_FORMAT: 'json',
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([collector.stop(), receiver.stop(), mails.stop()]);
});

const newTraceId = (): string => randomBytes(16).toString('hex');
/** What a client sends that collects traces itself. */
const asPartOf = (traceId: string): Readonly<Record<string, string>> => ({ traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` });
const spansOf = (traceId: string): readonly CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);

/** Waits for a span of a trace. */
async function spanOf(traceId: string, name: string): Promise<CollectedSpan> {
  const find = (): CollectedSpan | undefined => spansOf(traceId).find((span) => span.name === name);
  await waitUntil(`a span ${name}, beside ${spansOf(traceId).map((span) => span.name).join()}`, WAIT_MS, () => Promise.resolve(find() !== undefined));
  return find() as CollectedSpan;
}

/** Those of the texts that stand in anything that was exported. */
const saidOf = (texts: readonly string[]): readonly string[] => texts.filter((text) => collector.exports.some((body) => body.includes(text)));

async function send(method: string, path: string, body: unknown, traceId: string): Promise<Response> {
  const response = await service.client.request(method, path, body, asPartOf(traceId));
  expect(response.ok).toBe(true);
  return response;
}

describe('one trace', () => {
  it('leads from the request of a client to the attempt to notify another, and holds nothing of people', async () => {
    const { client } = service;
    const vacancy = await openVacancy(client);
    const [applying, moving] = [newTraceId(), newTraceId()];
    const applied = await send('POST', '/applications', { opportunity_id: vacancy.id, candidate: PERSON }, applying);
    const application = (await applied.json()) as { readonly id: number };
    const { signing_key: signingKey } = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, `${receiver.url}?token=destination-secret`);
    const moved = await send('PUT', `/applications/${application.id}/process_state`, { state: 'interview', comment: 'a very private comment' }, moving);
    await client.get(`/candidates?search=/email=${encodeURIComponent(PERSON.email)}`);
    await receiver.receive(1);

    const request = await spanOf(moving, 'PUT /api/v1/applications/:id/process_state');
    const matching = await spanOf(moving, 'process STATE_CHANGE_APPLICATION');
    const attempt = await spanOf(moving, 'POST notification');
    expect([request.service, matching.service, attempt.service]).toEqual(['ats-api', 'ats-notifier', 'ats-notifier']);
    expect([request.kind, matching.kind, attempt.kind]).toEqual([SERVER, CONSUMER, CLIENT]);
    expect([matching.parentSpanId, attempt.parentSpanId]).toEqual([request.spanId, matching.spanId]);
    const requestId = moved.headers.get('x-request-id');
    expect(attributesOf(request)).toMatchObject({ 'ats.request.id': requestId, 'http.route': '/api/v1/applications/:id/process_state', 'http.response.status_code': 200 });
    expect(attributesOf(attempt)).toMatchObject({ 'ats.request.id': requestId, 'ats.delivery.attempt': 1, 'http.response.status_code': 204 });

    const insert = await spanOf(applying, 'INSERT');
    expect(attributesOf(insert)['db.query.text']).toMatch(/INSERT INTO .*\$1/s);
    expect(spansOf(applying).filter(({ name }) => name === 'COMMIT')).toHaveLength(1);
    // The destination hears nothing of our traces.
    expect(Object.keys(receiver.messages[0]?.headers ?? {}).filter((name) => /^(trace|baggage|b3)/.test(name))).toEqual([]);

    const secrets = [...Object.values(PERSON), encodeURIComponent(PERSON.email), 'a very private comment', client.token, signingKey, 'destination-secret', receiver.url];
    expect(saidOf(secrets)).toEqual([]);
  });

  it('leads to the e-mail that a request writes', async () => {
    const { client } = service;
    const vacancy = await openVacancy(client);
    const application = await client.post('/applications', { opportunity_id: vacancy.id, candidate: { ...PERSON, email: 'second@example.com' } });
    const writing = newTraceId();
    await send('POST', `/applications/${application.id}/comms`, { subject: 'Confidential', body: '<p>words</p>' }, writing);
    await mails.receive(1);
    expect(await spanOf(writing, 'send e-mail')).toMatchObject({ service: 'ats-notifier', kind: CLIENT, parentSpanId: (await spanOf(writing, 'POST /api/v1/applications/:id/comms')).spanId });
    expect(saidOf(['second@example.com', 'Confidential', PERSON.lastname])).toEqual([]);
  });

  it('begins with a request whose traceparent is none, and tells a failure by its status alone', async () => {
    const before = collector.spans.length;
    const response = await service.client.request('GET', '/candidates/1?search=nonsense', undefined, { traceparent: '00-nonsense-01', 'x-request-id': 'begins-a-trace' });
    expect(response.status).toBe(400);
    const find = (): CollectedSpan | undefined => collector.spans.slice(before).find((span) => attributesOf(span)['ats.request.id'] === 'begins-a-trace');
    await waitUntil('the span of the request', WAIT_MS, () => Promise.resolve(find() !== undefined));
    expect(find()?.parentSpanId ?? '').toBe('');
    expect(find()?.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

it('a collector that is away costs nothing, and no time to stop', async () => {
  await collector.stop();
  expect((await service.client.request('GET', '/me')).status).toBe(200);
  await waitUntil('the API notices', WAIT_MS, () => Promise.resolve(service.api.output.includes('the collector takes no spans')));
  expect((await service.client.request('GET', '/me')).status).toBe(200);
  const beganAt = performance.now();
  const codes = await Promise.all([service.api.end('SIGTERM'), service.notifier.end('SIGTERM')]);
  expect(codes).toEqual([0, 0]);
  expect(performance.now() - beganAt).toBeLessThan(15_000);
  collector = await TraceCollector.start();
});
