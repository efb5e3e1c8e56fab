import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest } from './support/fault-test.js';
import { percentile } from './support/percentile.js';
import { raiseEvents } from './support/outbox.js';

const POISONED = 5;

faultTest({ number: 28, fault: 'an expression and events that cannot be judged' }, async (stage, report) => {
  const { destinations, database } = stage;
  await stage.subscribeTimes(2);
  // A release might forget a name that a stored expression uses: nobody is told by that topic, and nobody waits for it.
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

  // Events that do not say what their message must name.
  await raiseEvents(database, POISONED, { facts: { 'application.app_type': undefined } });
  report.faults += POISONED;
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const raisedAt = Date.now();
    const enough = destinations.receptions.length + 2 * 5;
    await stage.raise(5);
    await waitUntil('sound events pass by', 60_000, () => destinations.receptions.length >= enough);
    times.push(Date.now() - raisedAt);
  }
  await stage.settled();
  expect(await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'quarantined'`)).toBe(POISONED);
  report.note(
    `five sound events took ${percentile(times, 50)} ms (p50) and ${percentile(times, 100)} ms at most beside ${POISONED} that were tried 5 times and set aside`,
  );
  report.check(await stage.verdict());
});
