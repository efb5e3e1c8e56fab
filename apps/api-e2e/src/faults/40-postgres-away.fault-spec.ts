import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, type Report } from './support/fault-test.js';
import { type Stage } from './support/stage.js';
import { makeApplications } from './support/state-changes.js';

/** What an answer may take beyond what the process takes for one that needs no database, at the same moment. */
const AT_ONCE_MS = 1_000;
/** Until it is known that nobody answers any more, and what waited has been given up. */
const BOUND_MS = 4_500;
const BACK_MS = 3_000;

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly ms: number;
}

/** Requests of every kind that needs the database. */
class Requests {
  readonly #token = { authorization: `Bearer ${this.stage.client.token}` };

  constructor(
    private readonly stage: Stage,
    private readonly id: number,
  ) {}

  needing(): Promise<readonly Answer[]> {
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
      this.#ask('a POST with a key', '/api/v1/vacancies', {
        method: 'POST',
        headers: { ...json, 'idempotency-key': randomUUID() },
        body: '{"title":"Gardener"}',
      }),
      this.#ask('a credential not seen before', '/api/v1/me', {
        headers: { authorization: `Bearer ats_${'NotSeen' + randomUUID().slice(0, 8)}_${'a'.repeat(43)}` },
      }),
      this.#ask('readiness', '/health/ready', {}),
    ]);
  }

  public(): Promise<readonly Answer[]> {
    return Promise.all(
      ['/health/live', '/health/serving', '/docs', '/openapi.json'].map((path) => this.#ask(path, path, {})),
    );
  }

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

/** All of them refuse, in the form of every error; and what needs no database is as it always is. */
async function expectRefusals(requests: Requests, limitMs: number): Promise<number> {
  const [refused, open] = await Promise.all([requests.needing(), requests.public()]);
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
  expect(slowest(refused)).toBeLessThan(limitMs + slowest(open));
  return slowest(refused);
}

async function expectBack(stage: Stage, requests: Requests, limitMs = BACK_MS): Promise<number> {
  const since = performance.now();
  let answers: readonly Answer[] = [];
  await waitUntil('everything is answered again', 30_000, async () => {
    answers = await requests.needing();
    // Of who shows a wrong token that is a no.
    return answers.every(
      ({ what, status }) =>
        status === (what === 'a credential not seen before' ? 401 : what === 'a POST with a key' ? 201 : 200),
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
    fault: 'PostgreSQL stopped, killed, frozen, read-only: 503, and back',
    isFast: true,
    stage: { notifiers: 0 },
  },
  async (stage, report: Report) => {
    const { postgres } = stage.servers;
    const [application] = await makeApplications(stage, 1);
    const requests = new Requests(stage, application?.id ?? 0);
    await expectBack(stage, requests);

    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      await postgres.end(signal);
      report.faults += 1;
      const [first, then] = [await expectRefusals(requests, AT_ONCE_MS), await expectRefusals(requests, AT_ONCE_MS)];
      await postgres.start();
      report.note(
        `${signal}: 503 in ${rounded(first)}, then ${rounded(then)}; back after ${rounded(await expectBack(stage, requests))}`,
      );
    }

    const goOn = postgres.pauseAll();
    report.faults += 1;
    try {
      const [first, then] = [await expectRefusals(requests, BOUND_MS), await expectRefusals(requests, AT_ONCE_MS)];
      report.note(`frozen: 503 in ${rounded(first)}, once that is known ${rounded(then)}`);
    } finally {
      goOn();
    }
    report.note(`frozen: back after ${rounded(await expectBack(stage, requests))}`);

    // A server that takes no writes, as after a failover to one that has not been promoted yet.
    await postgres.end('SIGINT');
    writeFileSync(join(postgres.dir, 'standby.signal'), '');
    await postgres.start();
    report.faults += 1;
    await waitUntil(
      'it is read',
      10_000,
      async () =>
        (
          await fetch(`${stage.api.url}/api/v1/applications`, {
            headers: { authorization: `Bearer ${stage.client.token}` },
          })
        ).status === 200,
    );
    const answers = await requests.needing();
    const statuses = Object.fromEntries(answers.map(({ what, status }) => [what, status]));
    expect(statuses).toMatchObject({
      'a collection': 200,
      'an item': 200,
      'a write': 503,
      'a POST with a key': 503,
      'a credential not seen before': 401,
    });
    expect(
      answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === null).map(({ what }) => what),
    ).not.toContain('a write');
    await stage.database.query('SELECT pg_promote()');
    report.note(
      `read-only: reads go on, writes are 503; after the promotion back in ${rounded(await expectBack(stage, requests))}`,
    );
  },
);

faultTest(
  { number: 40, fault: 'started while PostgreSQL and Redis are away', isFast: true, stage: { notifiers: 1 } },
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
      await waitUntil(`${app.url} is ready`, 30_000, async () => (await statusOf(`${app.url}/health/ready`)) === 200);
    report.note(`ready ${rounded(performance.now() - since)} after both are there`);
    await stage.subscribe();
    await stage.raise(3);
    await stage.settled();
    report.check(await stage.verdict());
  },
);
