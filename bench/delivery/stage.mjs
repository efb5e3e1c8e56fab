import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../tools/services/ports.mjs';
import { startTestServices } from '../../tools/services/test-services.mjs';
import { postgresMeter, processMeter } from '../cpu.mjs';
import { sum } from '../measure.mjs';
import { createApplication, createClient, createEnvironment, migrate, startApp } from '../service.mjs';

/**
 * Number of events that one transaction inserts. A busy API commits about as many together. Each transaction sends one
 * NOTIFY.
 */
const EVENTS_AT_ONCE = 500;
/** The URL of subscriptions that never get a message. */
const SILENT_URL = 'http://127.0.0.1/';

/**
 * The processes of a delivery benchmark: a database on disk, Redis, a receiver, and any number of notifiers. Events
 * have the form and the full snapshot that the API writes.
 */
export class Stage {
  #stops = [];
  #notifiers = [];
  #redisPid;
  #readPostgresMs;
  #restartPostgres;
  #lastSubject = 1_000_000;

  static async open() {
    const stage = new Stage();
    try {
      await stage.#open();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  async #open() {
    const services = await startTestServices({ say: console.error, isDurable: true });
    this.#stops.push(() => services.stop());
    this.#redisPid = services.redisPid;
    this.#restartPostgres = services.restartPostgres;
    this.environment = await createEnvironment(services.env);
    await migrate(this.environment);
    this.client = await this.connect();
    this.#stops.push(() => this.client.end());
    const [{ pid }] = await this.query('SELECT pg_backend_pid() AS pid');
    this.#readPostgresMs = postgresMeter(pid);
    await this.#findFacts();
    const receiver = fork(join(import.meta.dirname, 'receiver.mjs'));
    this.receiver = receiver;
    this.#stops.push(() => receiver.kill());
  }

  /**
   * Creates one event through the API. All events of the benchmark get the recruiter and the snapshot of this event.
   */
  async #findFacts() {
    const api = await startApp('api', this.environment);
    try {
      await createApplication(createClient(this.environment));
    } finally {
      await api.stop();
    }
    [this.event] = await this.query(
      `SELECT recruiter_id, facts FROM domain_events WHERE type = 'STATE_CHANGE_APPLICATION' ORDER BY id DESC LIMIT 1`,
    );
    await this.query('DELETE FROM domain_events');
  }

  /** Opens another connection to the database. */
  async connect() {
    const client = new pg.Client({ connectionString: this.environment.DATABASE_URL, application_name: 'bench' });
    await client.connect();
    return client;
  }

  /** Restarts PostgreSQL, which ends all connections. `measureProcessor` does not work afterwards. */
  async restartPostgres() {
    await this.client.end();
    await this.#restartPostgres();
    this.client = await this.connect();
  }

  /** @returns {Promise<any[]>} the rows */
  query = async (text, values) => (await this.client.query(text, values)).rows;

  /**
   * @param {{ healthy: number, hanging?: number, isOneOrigin?: boolean }} numbers `isOneOrigin` gives all URLs one host
   *   and port; otherwise, each URL has a port of its own
   * @returns {Promise<{ healthy: string[], hanging: string[] }>} URLs
   */
  async listen({ healthy, hanging = 0, isOneOrigin = false }) {
    this.receiver.send({ type: 'listen', healthy, hanging, isOneOrigin });
    return (await this.#answer('listening')).urls;
  }

  async setNotifiers(count) {
    while (this.#notifiers.length > count) await this.#notifiers.pop().stop();
    while (this.#notifiers.length < count) {
      const port = String(await freePort());
      this.#notifiers.push(await startApp('notifier', { ...this.environment, NOTIFIER_PORT: port }));
    }
  }

  /**
   * Starts to measure the processor time of each kind of process.
   * @param {number} [senderPid] a process that sends in place of the notifiers
   * @returns a function that returns the milliseconds until now
   */
  measureProcessor(senderPid) {
    const senders = senderPid ? [senderPid] : this.#notifiers.map(({ pid }) => pid);
    const meters = {
      sender: () => sum(senders.map((pid) => processMeter(pid)())),
      postgres: this.#readPostgresMs,
      redis: processMeter(this.#redisPid),
      receiver: processMeter(this.receiver.pid),
    };
    const read = () => Object.entries(meters).map(([kind, readMs]) => [kind, readMs()]);
    const before = Object.fromEntries(read());
    return () => Object.fromEntries(read().map(([kind, ms]) => [kind, ms - before[kind]]));
  }

  /** Creates a topic for the events of each `opportunityId`, with one subscription to `url`. */
  async subscribe(subscriptions) {
    const { Database } = await import('@ats/postgres');
    const { SecretBox, SIGNING_KEY_PURPOSE, checkTopicExpression, createSubscription, createTopic } = await import(
      '@ats/domain'
    );
    const secretBox = new SecretBox(this.environment.SECRET_KEY, SIGNING_KEY_PURPOSE);
    const database = await Database.connect({
      url: this.environment.DATABASE_URL,
      applicationName: 'bench',
      poolSize: 1,
    });
    const type = 'STATE_CHANGE_APPLICATION';
    try {
      await database.transaction(async (transaction) => {
        for (const { opportunityId, url } of subscriptions) {
          const expression = `application.opportunity_id == ${opportunityId}`;
          const { datapaths } = checkTopicExpression(type, expression);
          const { id } = await createTopic(transaction, {
            type,
            name: 'bench',
            description: null,
            expression,
            datapaths,
          });
          await createSubscription(transaction, id, { start_dt: null, end_dt: null, destination_url: url }, secretBox);
        }
      });
    } finally {
      await database.close();
    }
  }

  /**
   * Inserts topics, each with a subscription and an endpoint. The topics are for opportunities without events, so they
   * never cause a message.
   */
  async addSilentTopics(first, last) {
    await this.query(
      `WITH topic AS (
         INSERT INTO notification_topics (type, name, expression, datapaths)
         SELECT 'STATE_CHANGE_APPLICATION', 'bench', 'application.opportunity_id == ' || n, ARRAY['application.opportunity_id'] FROM generate_series($1::integer, $2::integer) n
         RETURNING id
       )
       INSERT INTO notification_subscriptions (topic_id, start_dt, active_from_dt, destination_url, destination_origin)
       SELECT id, now(), now(), '${SILENT_URL}', 'http://127.0.0.1' FROM topic`,
      [first, last],
    );
    await this.#reloadTopics();
  }

  /** Deletes the topics and subscriptions that `addSilentTopics` inserted. */
  async removeSilentTopics() {
    await this.query(`DELETE FROM notification_subscriptions WHERE destination_url = '${SILENT_URL}'`);
    await this.query(
      'DELETE FROM notification_topics t WHERE NOT EXISTS (SELECT FROM notification_subscriptions WHERE topic_id = t.id)',
    );
    await this.query(`DELETE FROM notification_endpoints WHERE destination_url = '${SILENT_URL}'`);
    await this.#reloadTopics();
  }

  /** Makes the notifiers read all topics again. */
  async #reloadTopics() {
    await this.query('UPDATE notification_index_version SET version = version + 1');
    await this.query('DELETE FROM notification_index_changes');
  }

  /**
   * Writes one event for each opportunity.
   * @param {number[]} opportunityIds
   * @param {Date | null} notBefore earliest time of matching; null when they may be matched at once
   */
  async write(opportunityIds, notBefore = null) {
    for (let start = 0; start < opportunityIds.length; start += EVENTS_AT_ONCE) {
      const portion = opportunityIds.slice(start, start + EVENTS_AT_ONCE);
      await this.query(
        `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, retry_dt)
         SELECT 'STATE_CHANGE_APPLICATION', 'application', $1::bigint + position, $2, 'UTC',
           $3::jsonb || jsonb_build_object('application.id', $1::bigint + position, 'application.opportunity_id', opportunity_id), $5
         FROM unnest($4::bigint[]) WITH ORDINALITY AS given (opportunity_id, position)`,
        [this.#lastSubject, this.event.recruiter_id, this.event.facts, portion, notBefore],
      );
      this.#lastSubject += portion.length;
      if (!notBefore) await this.query('NOTIFY ats_domain_events');
    }
  }

  /** Waits until the receiver has received `count` further messages. @returns the report of the receiver */
  async received(count) {
    this.receiver.send({ type: 'expect', count });
    return this.#answer('received');
  }

  forget = () => this.receiver.send({ type: 'forget' });

  async #answer(type) {
    for (;;) {
      const [message] = await once(this.receiver, 'message');
      if (message.type === type) return message;
    }
  }

  async close() {
    await this.setNotifiers(0);
    for (const stop of this.#stops.reverse()) await stop();
  }
}
