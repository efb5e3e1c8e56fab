import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openVacancy, subscribe } from './support/api-client.js';
import { MailServer } from './support/mail-server.js';
import { anchorOf, readDashboard, readRules, readText, type Target } from './support/monitoring-files.js';
import { parseExpression } from './support/promql.js';
import { Receiver } from './support/receiver.js';
import { ScrapedMetrics } from './support/scraped-metrics.js';
import { SINGLE, Service } from './support/service.js';
import { attributesOf, type CollectedSpan, TraceCollector } from './support/trace-collector.js';
import { waitUntil } from './support/wait-until.js';

const WAIT_MS = 100_000;
const PERSON = { firstname: 'Fridolin', lastname: 'Ungewitter', email: 'fridolin.ungewitter@example.com' };
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

let service: Service;
let collector: TraceCollector;
let receiver: Receiver;
let mails: MailServer;

beforeAll(async () => {
  [collector, receiver, mails] = await Promise.all([TraceCollector.start(), Receiver.start(), MailServer.start()]);
  service = await Service.start(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      // Maximum wait in ms for a collector that is unavailable.
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
      SMTP_URL: mails.url,
      // The variable is set only so that the API publishes the metrics of a replica. No replica runs at this address.
      DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/none',
      // Kills no process, because a killed process loses the spans that it has not exported.
    },
    SINGLE,
  );
});
afterAll(async () => {
  await service.stop();
  await Promise.all([collector.stop(), receiver.stop(), mails.stop()]);
});

const newTraceId = (): string => randomBytes(16).toString('hex');
/** Returns the `traceparent` header of a client that traces its own requests. */
const traceHeader = (traceId: string): Readonly<Record<string, string>> => ({
  traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
});
const spansOf = (traceId: string): readonly CollectedSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId);

/** Waits for a span of a trace. */
async function spanOf(traceId: string, name: string): Promise<CollectedSpan> {
  const find = (): CollectedSpan | undefined => spansOf(traceId).find((span) => span.name === name);
  await waitUntil(
    `the span ${name}; the trace has ${spansOf(traceId)
      .map((span) => span.name)
      .join()}`,
    WAIT_MS,
    () => Promise.resolve(find() !== undefined),
  );
  return find() as CollectedSpan;
}

/** Returns all texts in the exported spans. */
const exportedOf = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => collector.exports.some((body) => body.includes(text)));

/** Returns the messages of all log lines that have the trace id. */
const messagesOf = (output: string, traceId: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"trace_id":"${traceId}"`))
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

async function send(method: 'POST' | 'PUT', path: string, body: unknown, traceId: string): Promise<Response> {
  const response = await service.client.request(method, path, body, traceHeader(traceId));
  expect(response.ok).toBe(true);
  return response;
}

describe('a trace', () => {
  it('links a request to the delivery attempt and contains no personal data', async () => {
    const { client } = service;
    const vacancy = await openVacancy(client);
    const [applying, moving] = [newTraceId(), newTraceId()];
    const applied = await send('POST', '/applications', { opportunity_id: vacancy.id, candidate: PERSON }, applying);
    const application = (await applied.json()) as { readonly id: number };
    const { signing_key: signingKey } = await subscribe(
      client,
      { type: 'STATE_CHANGE_APPLICATION' },
      `${receiver.url}?token=destination-secret`,
    );
    const moved = await send(
      'PUT',
      `/applications/${application.id}/process_state`,
      { state: 'interview', comment: 'a very private comment' },
      moving,
    );
    await client.get(`/candidates?search=/email=${encodeURIComponent(PERSON.email)}`);
    await receiver.receive(1);

    const request = await spanOf(moving, 'PUT /api/v1/applications/:id/process_state');
    const matching = await spanOf(moving, 'process STATE_CHANGE_APPLICATION');
    const attempt = await spanOf(moving, 'POST notification');
    expect([request.service, matching.service, attempt.service]).toEqual(['ats-api', 'ats-notifier', 'ats-notifier']);
    expect([request.kind, matching.kind, attempt.kind]).toEqual([SERVER, CONSUMER, CLIENT]);
    expect([matching.parentSpanId, attempt.parentSpanId]).toEqual([request.spanId, matching.spanId]);
    const requestId = moved.headers.get('x-request-id');
    expect(attributesOf(request)).toMatchObject({
      'ats.request.id': requestId,
      'http.route': '/api/v1/applications/:id/process_state',
      'http.response.status_code': 200,
    });
    // The span must name the credential by its id, as the log does. It must not have any part of the token.
    const [line] = service.api.output
      .split('\n')
      .filter((one) => one.includes(`"request_id":"${requestId ?? ''}"`) && one.includes('"msg":"request"'));
    expect(attributesOf(request)['ats.credential.id']).toEqual(
      (JSON.parse(line ?? '') as { readonly credential_id: number }).credential_id,
    );
    expect(JSON.stringify(attributesOf(request))).not.toContain(client.token.split('_')[1]);
    expect(attributesOf(attempt)).toMatchObject({
      'ats.request.id': requestId,
      'ats.delivery.attempt': 1,
      'http.response.status_code': 204,
    });

    const insert = await spanOf(applying, 'INSERT');
    expect(attributesOf(insert)['db.query.text']).toMatch(/INSERT INTO .*\$1/s);
    expect(spansOf(applying).filter(({ name }) => name === 'COMMIT')).toHaveLength(1);
    // Each log line about the request must have the trace id.
    expect(messagesOf(service.api.output, moving)).toContain('request');
    await waitUntil('the attempt is in the log', WAIT_MS, () =>
      Promise.resolve(messagesOf(service.notifier.output, moving).includes('attempt finished')),
    );
    // The service must send no trace headers to the destination.
    expect(Object.keys(receiver.messages[0]?.headers ?? {}).filter((name) => /^(trace|baggage|b3)/.test(name))).toEqual(
      [],
    );

    const secrets = [
      ...Object.values(PERSON),
      encodeURIComponent(PERSON.email),
      'a very private comment',
      client.token,
      signingKey,
      'destination-secret',
      receiver.url,
    ];
    expect(exportedOf(secrets)).toEqual([]);
  });

  it('links a request to the e-mail that it queued', async () => {
    const { client } = service;
    const vacancy = await openVacancy(client);
    const application = await client.post('/applications', {
      opportunity_id: vacancy.id,
      candidate: { ...PERSON, email: 'second@example.com' },
    });
    const writing = newTraceId();
    await send(
      'POST',
      `/applications/${application.id}/comms`,
      { subject: 'Confidential', body: '<p>words</p>' },
      writing,
    );
    await mails.receive(1);
    expect(await spanOf(writing, 'send e-mail')).toMatchObject({
      service: 'ats-notifier',
      kind: CLIENT,
      parentSpanId: (await spanOf(writing, 'POST /api/v1/applications/:id/comms')).spanId,
    });
    expect(exportedOf(['second@example.com', 'Confidential', PERSON.lastname])).toEqual([]);
  });

  it('starts at a request with an invalid traceparent header', async () => {
    const before = collector.spans.length;
    const response = await service.client.request('GET', '/candidates/1?search=nonsense', undefined, {
      traceparent: '00-nonsense-01',
      'x-request-id': 'begins-a-trace',
    });
    expect(response.status).toBe(400);
    const find = (): CollectedSpan | undefined =>
      collector.spans.slice(before).find((span) => attributesOf(span)['ats.request.id'] === 'begins-a-trace');
    await waitUntil('the span of the request', WAIT_MS, () => Promise.resolve(find() !== undefined));
    expect(find()?.parentSpanId ?? '').toBe('');
    expect(find()?.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('the alerts and the dashboard', () => {
  const rules = readRules();
  const { panels } = readDashboard();
  const targets = panels.flatMap((one) => ('targets' in one ? (one.targets as Target[]) : []));
  /** Labels that Prometheus itself adds to each metric. */
  const OWN_LABELS = ['job', 'instance'];

  /** Returns the names in queries that no app publishes. */
  const unknownIn = (scraped: ScrapedMetrics): readonly string[] =>
    [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => expr)].flatMap((expression) => {
      const { selectors, grouping } = parseExpression(expression);
      return [
        ...selectors.flatMap(({ metric, labels }) => [
          ...(scraped.has(metric) ? [] : [metric]),
          ...labels.filter(({ name }) => !scraped.hasLabel(metric, name)).map(({ name }) => `${metric}{${name}}`),
          ...labels
            .filter(({ name, value }) => value !== null && !scraped.hasValue(metric, name, value))
            .map(({ name, value }) => `${metric}{${name}="${value}"}`),
        ]),
        ...grouping
          .filter(
            (label) => !OWN_LABELS.includes(label) && !selectors.some(({ metric }) => scraped.hasLabel(metric, label)),
          )
          .map((label) => `by ${label} in ${expression}`),
      ];
    });

  it('query only metrics, labels and values that the two apps publish', async () => {
    await waitUntil('a notification was delivered', WAIT_MS, () => Promise.resolve(receiver.messages.length > 0));
    // Calls this route once, because queries name it, and its metrics exist only after a request.
    await fetch(`${service.api.url}/health/serving`);
    let unknown: readonly string[] = [];
    // Waits, because an app leaves out values that a busy server does not return in time.
    await waitUntil('every name is published', WAIT_MS, async () => {
      unknown = unknownIn(await ScrapedMetrics.from([service.api.url, service.notifier.url]));
      return unknown.length === 0;
    }).catch(() => undefined);
    expect([targets.length, unknown]).toEqual([expect.any(Number), []]);
    expect(targets.length).toBeGreaterThan(40);
  });

  it('have a legend for every query and a unique id for every panel', () => {
    for (const { legendFormat } of targets) expect(legendFormat).not.toBe('');
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('have three alerts, each with a section of the runbook', () => {
    expect(rules.map(({ alert }) => alert)).toEqual([
      'AtsApiFailsClients',
      'AtsNotificationsStuck',
      'AtsNotificationsLost',
    ]);
    const anchors = readText('docs/operations.md')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .map((heading) => `docs/operations.md#${anchorOf(heading)}`);
    for (const { annotations } of rules) expect(anchors).toContain(annotations.runbook_url);
  });
});

it('the API serves requests and stops in time while the trace collector is unavailable', async () => {
  await collector.stop();
  expect((await service.client.request('GET', '/me')).status).toBe(200);
  await waitUntil('the API notices', WAIT_MS, () =>
    Promise.resolve(service.api.output.includes('the trace collector is unavailable')),
  );
  expect((await service.client.request('GET', '/me')).status).toBe(200);
  const lastReads = Array.from({ length: 5 }, (_, index) => `last-read-${index}`);
  for (const id of lastReads)
    await service.client.request('GET', '/candidates?per_page=1', undefined, { 'x-request-id': id });
  const beganAt = performance.now();
  const codes = await Promise.all([service.api.end('SIGTERM'), service.notifier.end('SIGTERM')]);
  expect(codes).toEqual([0, 0]);
  // Both apps must log their start, the signal and their end.
  expect(service.api.output).toMatch(
    /"msg":"listening".*"signal":"SIGTERM".*"msg":"stopping".*"code":0.*"msg":"stopped"/s,
  );
  expect(service.notifier.output).toMatch(
    /"msg":"listening".*"msg":"the notifier is stopping".*"msg":"the notifier has stopped"/s,
  );
  // The shutdown must end before the hard deadline, at which each app ends work that hangs.
  expect(performance.now() - beganAt).toBeLessThan(28_000);
  // The API must write the audit entries of its last reads before it ends.
  const { rows } = await service.database.query<{ request_id: string }>(
    'SELECT request_id FROM audit_entries WHERE request_id = ANY ($1) ORDER BY id',
    [lastReads],
  );
  expect(rows.map(({ request_id: id }) => id)).toEqual(lastReads);
  collector = await TraceCollector.start();
});
