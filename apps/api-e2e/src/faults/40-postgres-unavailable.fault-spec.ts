import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, type Report } from './support/fault-test.js';
import { type Stage } from './support/stage.js';
import { makeApplications } from './support/state-changes.js';

/** Maximum duration of a 503 answer in ms, in addition to the slowest answer without database access at that time. */
const IMMEDIATE_MS = 1_000;
/**
 * Maximum duration of a 503 answer in ms while the API has not yet noticed that the database server is frozen. It is
 * less than the time limit of a read.
 */
const DETECTION_MS = 9_000;
const RECOVERY_MS = 20_000;
/** Maximum number of measurements. A busy machine may delay single answers, so slow ones are measured again. */
const MEASUREMENTS = 10;

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly ms: number;
}

/** Sends one request of each kind that needs the database, and requests that need no database. */
class Requests {
  readonly #token = { authorization: `Bearer ${this.stage.client.token}` };

  constructor(
    private readonly stage: Stage,
    private readonly id: number,
  ) {}

  withDatabase(): Promise<readonly Answer[]> {
    const { id } = this;
    const json = { ...this.#token, 'content-type': 'application/json' };
    return Promise.all([
      this.#ask('a collection', '/api/v1/applications', { headers: this.#token }),
      this.#ask('an item', `/api/v1/applications/${id}`, { headers: this.#token }),
      this.#ask('a write', `/api/v1/applications/${id}/process_state`, {
        method: 'PUT',
        headers: json,
        body: '{"state":"interview"}',
      }),
      this.#ask('a POST with an idempotency key', '/api/v1/vacancies', {
        method: 'POST',
        headers: { ...json, 'idempotency-key': randomUUID() },
        body: '{"title":"Gardener"}',
      }),
      this.#ask('an unknown credential', '/api/v1/me', {
        headers: { authorization: `Bearer ats_${'NotSeen' + randomUUID().slice(0, 8)}_${'a'.repeat(43)}` },
      }),
      this.#ask('readiness', '/health/ready', {}),
    ]);
  }

  withoutDatabase(): Promise<readonly Answer[]> {
    return Promise.all(
      ['/health/live', '/health/serving', '/docs', '/openapi.json'].map((path) => this.#ask(path, path, {})),
    );
  }

  /**
   * Sends a request without the client, because refusals without a credential and the durations of answers are
   * compared.
   */
  async #ask(what: string, path: string, init: RequestInit): Promise<Answer> {
    const since = performance.now();
    const response = await fetch(`${this.stage.api.url}${path}`, init);
    const body = await response.text();
    return {
      what,
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body,
      ms: performance.now() - since,
    };
  }
}

const slowest = (answers: readonly Answer[]): number => Math.max(...answers.map(({ ms }) => ms));

/**
 * Expects 503 with the usual error body from requests that need the database, and 200 from all others.
 * @returns the duration of the slowest 503 answer in milliseconds
 */
async function expectRefusals(requests: Requests, limitMs: number, measurements = MEASUREMENTS): Promise<number> {
  const [refused, open] = await Promise.all([requests.withDatabase(), requests.withoutDatabase()]);
  const wrong = refused.filter(({ what, status, retryAfter, body }) => {
    const { message, request_id } = JSON.parse(body) as Record<string, unknown>;
    return (
      status !== 503 ||
      (what !== 'readiness' && !/^\d+$/.test(retryAfter ?? '')) ||
      typeof message !== 'string' ||
      typeof request_id !== 'string'
    );
  });
  expect(wrong).toEqual([]);
  expect(open.filter(({ status }) => status !== 200)).toEqual([]);
  if (measurements > 1 && slowest(refused) >= limitMs + slowest(open))
    return expectRefusals(requests, limitMs, measurements - 1);
  expect(slowest(refused)).toBeLessThan(limitMs + slowest(open));
  return slowest(refused);
}

async function expectRecovery(stage: Stage, requests: Requests, limitMs = RECOVERY_MS): Promise<number> {
  const since = performance.now();
  let answers: readonly Answer[] = [];
  await waitUntil('the API answers all requests', 300_000, async () => {
    answers = await requests.withDatabase();
    // While the database works, a request with an unknown credential must get 401.
    return answers.every(
      ({ what, status }) =>
        status === (what === 'an unknown credential' ? 401 : what === 'a POST with an idempotency key' ? 201 : 200),
    );
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(answers), { cause: error });
  });
  const ms = performance.now() - since;
  expect(ms).toBeLessThan(limitMs + 2 * slowest(answers));
  expect(stage.api.pid).toBeDefined();
  return ms;
}

const rounded = (ms: number): string => `${Math.round(ms)} ms`;

faultTest(
  {
    number: 40,
    fault: 'PostgreSQL stopped, killed, frozen, read-only: 503, then recovery',
    isFast: true,
    stage: { notifiers: 0 },
  },
  async (stage, report: Report) => {
    const { postgres } = stage.servers;
    const [application] = await makeApplications(stage, 1);
    const requests = new Requests(stage, application?.id ?? 0);
    await expectRecovery(stage, requests);

    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      await postgres.end(signal);
      report.faults += 1;
      const [first, then] = [
        await expectRefusals(requests, IMMEDIATE_MS),
        await expectRefusals(requests, IMMEDIATE_MS),
      ];
      await postgres.start();
      const recovery = rounded(await expectRecovery(stage, requests));
      report.note(`${signal}: 503 in ${rounded(first)}, then ${rounded(then)}; recovered after ${recovery}`);
    }

    const resume = postgres.pauseAll();
    report.faults += 1;
    try {
      const [first, then] = [
        await expectRefusals(requests, DETECTION_MS, 1),
        await expectRefusals(requests, IMMEDIATE_MS),
      ];
      report.note(`frozen: 503 in ${rounded(first)}, after detection ${rounded(then)}`);
    } finally {
      resume();
    }
    report.note(`frozen: recovered after ${rounded(await expectRecovery(stage, requests))}`);

    // Makes the server read-only, like a replica before it is promoted.
    await postgres.end('SIGINT');
    writeFileSync(join(postgres.dir, 'standby.signal'), '');
    await postgres.start();
    report.faults += 1;
    await waitUntil(
      'reads succeed',
      300_000,
      async () => (await stage.client.request('GET', '/applications')).status === 200,
    );
    const answers = await requests.withDatabase();
    const statuses = Object.fromEntries(answers.map(({ what, status }) => [what, status]));
    expect(statuses).toMatchObject({
      'a collection': 200,
      'an item': 200,
      'a write': 503,
      'a POST with an idempotency key': 503,
      'an unknown credential': 401,
    });
    expect(
      answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === null).map(({ what }) => what),
    ).not.toContain('a write');
    await stage.database.query('SELECT pg_promote()');
    const recovery = rounded(await expectRecovery(stage, requests));
    report.note(`read-only: reads succeed, writes get 503; recovered ${recovery} after the promotion`);
  },
);

faultTest(
  {
    number: 40,
    fault: 'apps started while PostgreSQL and Redis are unavailable',
    isFast: true,
    stage: { notifiers: 1 },
  },
  async (stage, report) => {
    const { api, notifiers, servers } = stage;
    const apps = [api, ...notifiers];
    await Promise.all(apps.map((app) => app.end('SIGTERM')));
    await Promise.all([servers.postgres.end('SIGINT'), servers.redis.end('SIGTERM')]);
    report.faults += 2;
    await Promise.all(apps.map((app) => app.start('live')));
    const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
    for (const app of apps) expect(await statusOf(`${app.url}/health/ready`)).toBe(503);
    expect(await statusOf(`${api.url}/health/serving`)).toBe(503);
    await Promise.all([servers.postgres.start(), servers.redis.start()]);
    const since = performance.now();
    for (const app of apps)
      await waitUntil(`${app.url} is ready`, 300_000, async () => (await statusOf(`${app.url}/health/ready`)) === 200);
    report.note(`ready ${rounded(performance.now() - since)} after both servers started`);
    await stage.subscribe();
    await stage.raise(3);
    await stage.settled();
    report.check(await stage.verdict());
  },
);
