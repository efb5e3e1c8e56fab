// @group long: restarts a whole fleet four times under load
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { verify } from '@ats/webhook-signing';
import { ApiClient, applyTo, type Item, openVacancy, subscribe, type SubscriptionItem } from './support/api-client.js';
import { App, runToEnd, type Settings } from './support/app.js';
import { bodyOf, Receiver, type ReceivedMessage } from './support/receiver.js';
import { FLEET, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const FORMER = randomBytes(32).toString('hex');
const NEXT = randomBytes(32).toString('hex');
/** The keys of all processes after each step of docs/operations.md, "Rotating SECRET_KEY". */
const steps = {
  know: { SECRET_KEY: FORMER, SECRET_KEY_PREVIOUS: NEXT },
  use: { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: FORMER },
  drop: { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: '' },
} as const;
const MOVES = ['in_review', 'interview', 'on_hold', 'interview'];
const ARRIVAL_MS = 200_000;
/** Timeout in ms. It is long, because each of the twelve restarts takes seconds, and more on a busy machine. */
const RUN_MS = 1_200_000;

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start({ SECRET_KEY: FORMER, DELIVERY_SCHEDULE: '1,1,1,1,1' }, FLEET);
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/**
 * A client that repeats a request which the proxy could not pass on, because the proxy's health checks may be late on a
 * busy machine.
 */
class PatientClient extends ApiClient {
  protected override async sendOnce(attempt: Request): Promise<Response> {
    for (;;) {
      const answer = await super.sendOnce(attempt.clone());
      if (answer.status !== 503 || !(await answer.clone().text()).startsWith('the proxy:')) return answer;
      await sleep(100);
    }
  }
}

/** Sends requests until it is stopped. The first answer that is no success ends it with an error. */
class Load {
  readonly client: ApiClient;
  /** Number of moves of applications that the load has made. */
  moves = 0;
  replays = 0;
  pages = 0;
  /** Maps the uuid of a subscription to all signing keys that the subscription has had. */
  readonly keys = new Map<string, string[]>();
  #isRunning = true;

  constructor() {
    const { baseUrl, token } = service.client;
    this.client = new PatientClient(baseUrl, token);
  }

  stop(): void {
    this.#isRunning = false;
  }

  run(vacancy: Item, watched: SubscriptionItem, firstCursor: string): Promise<unknown> {
    this.noteKeys(watched);
    const jobs = [
      () => this.moveApplication(vacancy),
      () => this.subscribeAndRotate(watched),
      () => this.followLinks(firstCursor),
      () => this.repeatRequests(),
    ];
    const untilStopped = async (job: () => Promise<void>): Promise<void> => {
      while (this.#isRunning) await job();
    };
    return Promise.all(jobs.map(untilStopped)).finally(() => this.stop());
  }

  async moveApplication(vacancy: Item): Promise<void> {
    const application = await applyTo(this.client, vacancy);
    for (const state of MOVES) {
      await this.client.put(`/applications/${application.id}/process_state`, { state });
      this.moves += 1;
    }
  }

  async subscribeAndRotate(watched: SubscriptionItem): Promise<void> {
    const added = await subscribe(this.client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
    this.noteKeys(added);
    for (const { url } of [watched, added]) {
      this.noteKeys(await this.client.post<SubscriptionItem>(`${url}/rotate_key`, { overlap_s: 0 }));
      this.noteKeys(await this.client.get<SubscriptionItem>(url));
    }
    await this.client.delete(added.url);
  }

  noteKeys({ uuid, signing_key }: SubscriptionItem): void {
    this.keys.set(uuid, [...(this.keys.get(uuid) ?? []), signing_key]);
  }

  /** Follows the links of a collection. Then opens a link that the processes gave at the start of the test. */
  async followLinks(firstCursor: string): Promise<void> {
    let url: string | undefined = '/applications?per_page=2&sort=created_dt!asc';
    for (let page = 0; url !== undefined && page < 5; page++) {
      const answer = await this.client.request('GET', url);
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
      url = nextLink(answer);
      this.pages += 1;
    }
    const first = await this.client.request('GET', firstCursor);
    expect([first.status, await first.text()]).toEqual([200, expect.any(String)]);
  }

  readonly #answered: { readonly key: string; readonly text: string }[] = [];

  async repeatRequests(): Promise<void> {
    const key = randomUUID();
    const send = (name: string): Promise<Response> =>
      this.client.request('POST', '/vacancies', { title: name }, { 'idempotency-key': name });
    const answer = await send(key);
    expect(answer.status).toBe(201);
    this.#answered.push({ key, text: await answer.text() });
    // Repeats the first request of the test and the latest one.
    for (const known of [this.#answered[0], this.#answered.at(-1)]) {
      const repeated = await send(known?.key ?? '');
      expect([repeated.status, await repeated.text()]).toEqual([201, known?.text]);
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      this.replays += 1;
    }
  }
}

const nextLink = (answer: Response): string | undefined =>
  /<([^>]+)>;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];

/** Restarts all processes with other keys, one after the other. After each restart, the load continues for a moment. */
async function restartAll(settings: Settings, load: Load): Promise<void> {
  const { apis, notifiers, proxy } = service;
  for (const app of [apis[0], notifiers[0], apis[1], notifiers[1]]) {
    if (!(app instanceof App)) throw new Error('the fleet has two processes of each kind');
    expect(await app.end('SIGTERM')).toBe(0);
    app.configure(settings);
    await app.start();
    await waitUntil('the proxy sees it serving', 60_000, () => proxy.areAllServing);
    const { moves, replays, pages } = load;
    await waitUntil(
      'the load went on',
      120_000,
      () => load.moves > moves && load.replays > replays && load.pages > pages,
    );
  }
}

async function reseal(settings: Settings): Promise<string> {
  const environment = { PATH: process.env['PATH'] ?? '', DATABASE_URL: service.databaseUrl, ...settings };
  const { exitCode, output } = await runToEnd('libs/domain/dist/cli/reseal.js', environment);
  expect([exitCode, output]).toEqual([0, expect.stringContaining('SECRET_KEY decrypts every stored secret')]);
  return output;
}

const isSigned = (message: ReceivedMessage, keys: readonly string[]): boolean => {
  try {
    const { body, headers, receivedAt } = message;
    verify({ body, headers, keys, toleranceSeconds: 300, now: new Date(receivedAt) });
    return true;
  } catch {
    return false;
  }
};

it(
  'the rotation of SECRET_KEY fails no request, loses no notification and makes no wrong signature',
  async () => {
    const load = new Load();
    const vacancy = await openVacancy(load.client);
    const watched = await subscribe(load.client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
    // This subscription keeps its signing key, which the former SECRET_KEY has encrypted.
    const quiet = await subscribe(load.client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
    load.noteKeys(quiet);
    for (let index = 0; index < 3; index++) await applyTo(load.client, vacancy);
    const firstPage = await load.client.request('GET', '/applications?per_page=1&sort=created_dt!asc');
    const work = load.run(vacancy, watched, nextLink(firstPage) ?? '');
    try {
      await Promise.race([
        work,
        (async () => {
          await restartAll(steps.know, load);
          await restartAll(steps.use, load);
          const output = await reseal(steps.use);
          expect(output).toMatch(/notification_subscription_keys: checked all values, [1-9]/);
          expect(output).toMatch(/idempotency_keys: checked all values, [1-9]/);
          expect(await reseal(steps.use)).toContain('idempotency_keys: checked all values, 0 were');
        })(),
      ]);
    } finally {
      load.stop();
    }
    await work;
    // Links that the former key encrypted are no longer valid, so the load starts again with new links.
    const later = new Load();
    later.keys.set(watched.uuid, load.keys.get(watched.uuid) ?? []);
    const page = await later.client.request('GET', '/applications?per_page=1&sort=created_dt!asc');
    const laterWork = later.run(vacancy, watched, nextLink(page) ?? '');
    await Promise.race([laterWork, restartAll(steps.drop, later)]).finally(() => later.stop());
    await laterWork;
    await reseal({ SECRET_KEY: NEXT });

    const moves = load.moves + later.moves;
    for (const { uuid } of [watched, quiet]) {
      const arrived = (): number =>
        receiver.distinct.filter((message) => bodyOf(message).subscription['uuid'] === uuid).length;
      await waitUntil(`${moves} messages of one subscription`, ARRIVAL_MS, () => arrived() >= moves);
      expect(arrived()).toBe(moves);
    }
    const keys = new Map([...load.keys, ...later.keys]);
    const wrong = receiver.messages.filter(
      (message) => !isSigned(message, keys.get(String(bodyOf(message).subscription['uuid'])) ?? []),
    );
    expect(wrong).toEqual([]);
    const output = `${service.outputOf('api')}\n${service.outputOf('notifier')}`;
    expect(output.split('\n').filter((line) => /"level":"(error|fatal)"|cannot be opened/.test(line))).toEqual([]);
    const { badGateway, repeated } = service.proxy.counts;
    expect({ badGateway, repeated }).toEqual({ badGateway: 0, repeated: 0 });
    console.log(
      `${moves} moves, ${keys.size} subscriptions, ${receiver.messages.length} messages, ` +
        `${load.replays + later.replays} repeated answers, ${load.pages + later.pages} pages`,
    );
  },
  RUN_MS,
);
