// @group long: stops servers
import { afterEach, describe, it } from '@jest/globals';
import { Database } from '@ats/postgres';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { atLeast, inTime, metricsOf } from '../../test/app-metrics.js';
import { recordEvent, subscribe } from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { TcpRelay } from '@ats/postgres/testing';

const stage = useStage();
const receiver = useReceiver();
let app: NestFastifyApplication;

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
  await stage.redis.flushdb();
});

const { scrape, moves, warns } = metricsOf(() => app);

describe('the metrics of a notifier', () => {
  it('are served within a second while Redis is unavailable, and show that deliveries bypass Redis', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    app = await stage.start({ REDIS_URL: relay.url });
    await moves({
      direct_mode: 0,
      deliveries_direct_total: 0,
      'reading_up{reading="jobs"}': 1,
      'bull_jobs{lane="hot",state="waiting"}': 0,
    });
    await relay.close();
    await subscribe(stage.database, { url: receiver.url });
    await recordEvent(stage.database);
    await moves({
      direct_mode: 1,
      deliveries_direct_total: 1,
      'reading_up{reading="jobs"}': 0,
      'reading_up{reading="outbox"}': 1,
      'attempts_total{reason="auto",outcome="success",status_class="2xx"}': 1,
    });
    await warns('direct_mode');
    await inTime(1_000, scrape);
    await relay.open();
    await moves({ direct_mode: 0, 'reading_up{reading="jobs"}': 1 });
    await stage.whenBullWorks();
    await stage.stopNotifiers();
    await relay.close();
  });

  it('are served within a second while PostgreSQL is unavailable, and omit unknown values', async () => {
    const relay = await TcpRelay.before(stage.testDatabase.url);
    app = await stage.start({ DATABASE_URL: relay.url });
    await moves({
      outbox_events: 0,
      'reading_up{reading="outbox"}': 1,
      'reading_up{reading="breakers"}': 1,
      'reading_up{reading="reconciliation"}': 1,
    });
    await relay.close();
    await moves({
      'reading_up{reading="outbox"}': 0,
      'reading_up{reading="breakers"}': 0,
      'reading_up{reading="reconciliation"}': 0,
    });
    await inTime(1_000, scrape);
    await moves({
      'step_failures_total{loop="matching"}': atLeast(1),
      'step_failures_total{loop="due polling"}': atLeast(1),
      direct_mode: 0,
    });
    await relay.open();
    await moves({ 'reading_up{reading="outbox"}': 1, outbox_events: 0 });
    await stage.stopNotifiers();
    await relay.close();
  });

  it('are served within a second while all connections to PostgreSQL are busy, and count the busy ones', async () => {
    app = await stage.start();
    const { pool } = app.get(Database);
    await moves({
      'postgres_waiting{pool="main"}': 0,
      'postgres_connections_max{pool="main"}': pool.options.max,
      'postgres_connections{pool="main",state="busy"}': atLeast(1),
    });
    // Some of these requests may time out, because a loop of the notifier may hold one connection and wait for a
    // second.
    const requests = await Promise.allSettled(Array.from({ length: pool.options.max - 1 }, () => pool.connect()));
    const taken = requests.flatMap((request) => (request.status === 'fulfilled' ? [request.value] : []));
    await recordEvent(stage.database);
    await moves({
      'postgres_waiting{pool="main"}': atLeast(1),
      'postgres_connections{pool="main",state="busy"}': pool.options.max,
      'postgres_connections{pool="main",state="idle"}': 0,
      outbox_events: 1,
    });
    await inTime(1_000, scrape);
    for (const client of taken) client.release();
    await moves({
      'postgres_waiting{pool="main"}': 0,
      outbox_events: 0,
      'postgres_connections{pool="main",state="idle"}': atLeast(1),
    });
  });
});
