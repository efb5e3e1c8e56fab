import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest } from './support/fault-test.js';
import { percentile } from './support/percentile.js';
import { raiseEvents } from './support/outbox.js';

const INVALID_EVENTS = 5;

faultTest(
  { number: 28, fault: 'an invalid stored expression, and events that cannot be matched' },
  async (stage, report) => {
    const { destinations, database } = stage;
    await stage.subscribeTimes(2);
    // Stores an expression with an unknown name, as if a release had removed this name. Its topic must match no event,
    // and must not block other topics.
    const broken = await stage.subscribe({ expression: 'application.id > 0', expects: () => false });
    await database.query(
      `UPDATE notification_topics SET expression = 'application.no_such_thing.at_all == 1' WHERE id = $1`,
      [broken.topic.id],
    );
    await database.query(
      `WITH next AS (UPDATE notification_index_version SET version = version + 1 RETURNING version)
    INSERT INTO notification_index_changes (version, topic_id) SELECT version, $1 FROM next`,
      [broken.topic.id],
    );
    report.faults += 1;

    // These events lack the value `application.app_type`, which their messages need.
    await raiseEvents(database, INVALID_EVENTS, { facts: { 'application.app_type': undefined } });
    report.faults += INVALID_EVENTS;
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const raisedAt = Date.now();
      const enough = destinations.receptions.length + 2 * 5;
      await stage.raise(5);
      await waitUntil('valid events are delivered', 300_000, () => destinations.receptions.length >= enough);
      times.push(Date.now() - raisedAt);
    }
    await stage.settled();
    expect(await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'quarantined'`)).toBe(INVALID_EVENTS);
    report.note(
      `five valid events took ${percentile(times, 50)} ms (p50) and ${percentile(times, 100)} ms at most ` +
        `beside ${INVALID_EVENTS} that were quarantined after 5 tries`,
    );
    report.check(await stage.verdict());
  },
);
