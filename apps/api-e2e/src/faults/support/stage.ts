import { randomBytes } from 'node:crypto';
import { freePort } from '@ats/domain/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ApiClient, subscribe, type SubscriptionItem } from '../../support/api-client.js';
import { App, type Settings } from '../../support/app.js';
import { waitUntil } from '../../support/wait-until.js';
import { judgeMode, type Mode, type ModeVerdict, RULES } from './delivery-mode.js';
import { Destinations, type Reception } from './destination.js';
import { type DeliveryRecord, Ledger, type Verdict } from './ledger.js';
import { options } from './options.js';
import { type OutboxEvent, raiseEvents } from './outbox.js';
import { inBatches, range } from './repeat.js';
import { Servers, type ServerSettings } from './servers.js';

/** Time in ms after which unfinished work is a failure. No test takes that long. */
const SETTLED_MS = 20 * 60_000;
/** Interval in ms at which the database is polled. The queries are rare enough not to load the servers. */
const SETTLED_POLL_MS = 150;

export interface StageOptions {
  readonly notifiers?: number;
  /** Environment variables of both apps, in addition to URLs and secrets. */
  readonly settings?: Settings;
  readonly servers?: ServerSettings;
  /**
   * Number of destinations, each with a host and a port. Each has 32 concurrency slots for attempts that do not hang.
   */
  readonly origins?: number;
}

/**
 * Number of subjects that the events of {@link Stage.raise} have in turn. Several events of a subject test the order of
 * messages.
 */
const SUBJECTS_IN_MODES = 10;

export interface NotifierOptions {
  readonly settings?: Settings;
  readonly nodeArguments?: readonly string[];
  readonly until?: 'ready' | 'live';
}

interface ExpectingSubscription {
  readonly item: SubscriptionItem;
  readonly expects: (event: OutboxEvent) => boolean;
}

/**
 * A stage: the servers, the processes of both apps, the destinations and the ledger of one fault test. The test may
 * break each of them.
 */
export class Stage {
  readonly notifiers: App[] = [];
  readonly ledger = new Ledger();
  readonly #subscriptions: ExpectingSubscription[] = [];

  private constructor(
    readonly servers: Servers,
    readonly destinations: Destinations,
    readonly api: App,
    readonly client: ApiClient,
    readonly database: pg.Pool,
    readonly redis: Redis,
    private readonly environment: Settings,
    private readonly mode: Mode,
  ) {}

  /**
   * Starts the servers, both apps and the destinations.
   * @param mode  the delivery mode of all endpoints that {@link subscribe} creates
   */
  static async start(
    { notifiers = 1, settings = {}, servers: serverSettings = {}, origins = 1 }: StageOptions = {},
    mode: Mode = 'plain',
  ): Promise<Stage> {
    const [servers, destinations, port] = await Promise.all([
      Servers.start(serverSettings),
      Destinations.start(origins),
      freePort(),
    ]);
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: servers.postgres.url,
      REDIS_URL: servers.redisServers.url,
      PUBLIC_BASE_URL: url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      RATE_LIMIT: '0',
      ALLOW_HTTP_DESTINATIONS: 'true',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      DELIVERY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1,1',
      LOG_LEVEL: 'warn',
      ...settings,
    };
    const database = new pg.Pool({ connectionString: servers.postgres.url, max: 8, application_name: 'fault-test' });
    const redis = new Redis(servers.redis.url);
    // Ignores connection errors, because tests stop servers on purpose. A failed command throws its own error.
    database.on('error', () => undefined);
    redis.on('error', () => undefined);
    const api = new App({ script: 'apps/api/dist/main.js', environment: { ...environment, PORT: String(port) }, url });
    const stage = new Stage(
      servers,
      destinations,
      api,
      new ApiClient(`${url}/api/v1`, options.token),
      database,
      redis,
      environment,
      mode,
    );
    try {
      await Promise.all([api.start(), ...Array.from({ length: notifiers }, () => stage.startNotifier())]);
    } catch (error) {
      await stage.stop();
      throw error;
    }
    return stage;
  }

  /** Starts another notifier. A test may end and start it any number of times. */
  async startNotifier({ settings = {}, nodeArguments = [], until = 'ready' }: NotifierOptions = {}): Promise<App> {
    const port = await freePort();
    const environment = { ...this.environment, NOTIFIER_PORT: String(port), ...settings };
    const app = new App({
      script: 'apps/notifier/dist/main.js',
      environment,
      url: `http://127.0.0.1:${port}`,
      nodeArguments,
    });
    this.notifiers.push(app);
    await app.start(until);
    return app;
  }

  /**
   * Creates a topic with a subscription through the API.
   * @param expects  returns true for the events of {@link raise} that the subscription must get; defaults to all events
   *   of the type
   */
  async subscribe({
    type = 'STATE_CHANGE_APPLICATION',
    expression,
    url = this.destinations.url(this.#subscriptions.length),
    expects,
    window,
  }: {
    readonly type?: string;
    readonly expression?: string;
    readonly url?: string;
    readonly expects?: (event: OutboxEvent) => boolean;
    /** The properties `start_dt` and `end_dt` of the subscription. */
    readonly window?: Readonly<Record<string, string>>;
  } = {}): Promise<SubscriptionItem> {
    const topic = { type, ...(expression !== undefined && { expression }) };
    const item = await subscribe(this.client, topic, url, window, RULES[this.mode].endpoint ?? undefined);
    this.destinations.setKeys(item.id, [item.signing_key]);
    this.#subscriptions.push({ item, expects: expects ?? ((event) => event.type === type) });
    return item;
  }

  /**
   * Creates `count` subscriptions to all state changes of applications. Their destinations are distributed over the
   * origins.
   */
  async subscribeTimes(count: number): Promise<readonly SubscriptionItem[]> {
    return inBatches(range(count), (index) => this.subscribe({ url: this.destinations.url(index) }));
  }

  /**
   * Commits events to the outbox in one transaction, as the API does. Adds the messages that they must cause to the
   * ledger.
   * @returns the events with their ids
   */
  async raise(count: number, partial: Partial<OutboxEvent> = {}): Promise<readonly OutboxEvent[]> {
    const subjects = this.mode === 'plain' ? undefined : SUBJECTS_IN_MODES;
    const events = await raiseEvents(this.database, count, partial, subjects);
    for (const event of events) {
      for (const { item, expects } of this.#subscriptions) if (expects(event)) this.ledger.expect(event.id, item.id);
    }
    return events;
  }

  /** Resolves when each event is matched or quarantined, and no delivery is due, queued or sending any more. */
  async settled(): Promise<void> {
    let open = 'unknown';
    await waitUntil(
      'no event and no delivery is open',
      SETTLED_MS,
      async () => {
        open = await this.#open().catch((error: unknown) => String(error));
        return open === '';
      },
      SETTLED_POLL_MS,
    ).catch((error: unknown) => {
      throw new Error(`the notifier did not finish all events and deliveries in time; unfinished: ${open}`, {
        cause: error,
      });
    });
  }

  /**
   * Returns the result of the ledger's comparison.
   * @param receptions  the requests to compare; defaults to all requests
   */
  async verdict(receptions: readonly Reception[] = this.destinations.receptions): Promise<Verdict & ModeVerdict> {
    const { rows } = await this.database.query<Record<keyof DeliveryRecord, string>>(
      `SELECT message_id, event_id, subscription_id, sequence, status FROM notification_deliveries
       WHERE event_id IS NOT NULL`,
    );
    const deliveries = rows.map((row) => ({
      ...row,
      event_id: Number(row.event_id),
      subscription_id: Number(row.subscription_id),
      sequence: Number(row.sequence),
    }));
    return {
      ...this.ledger.verdict(deliveries, receptions, this.destinations.countBadSignatures()),
      ...judgeMode(this.mode, deliveries, receptions),
    };
  }

  /** Returns the maximum number of messages in flight. A killed process may repeat all of them. */
  mostInFlight(subscriptions: number): number {
    return RULES[this.mode].inFlight * subscriptions;
  }

  /** Returns the first column of the first row of a statement, as a number. */
  async count(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const { rows } = await this.database.query<Record<string, string>>(sql, [...parameters]);
    return Number(Object.values(rows[0] ?? {})[0]);
  }

  async stop(): Promise<void> {
    for (const app of [this.api, ...this.notifiers]) app.signal('SIGCONT');
    await Promise.all([this.api, ...this.notifiers].map((app) => app.end('SIGKILL')));
    this.redis.disconnect();
    await Promise.all([this.destinations.stop(), this.database.end().catch(() => undefined)]);
    await this.servers.stop();
  }

  /** Returns the last output of each app, which is shown when a test fails. */
  get output(): string {
    return [this.api, ...this.notifiers].map((app) => app.output.slice(-1_500)).join('\n---\n');
  }

  async #open(): Promise<string> {
    const { rows } = await this.database.query<{ what: string; count: string }>(
      `SELECT 'events' AS what, count(*) FROM domain_events WHERE status = 'new'
       UNION ALL
       SELECT status, count(*) FROM notification_deliveries
       WHERE status IN ('due', 'queued', 'sending') GROUP BY status`,
    );
    return rows
      .filter(({ count }) => count !== '0')
      .map(({ what, count }) => `${count} ${what}`)
      .join(', ');
  }
}
