import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { inBatches, range } from './support/repeat.js';
import { percentile } from './support/percentile.js';

const STATE = 'application.main_process_state.state.state';
const CAP = 4;

faultTest(
  { number: 24, fault: 'one subscription has a large backlog', stage: { notifiers: 2, origins: 3 } },
  async (stage, report) => {
    const { destinations } = stage;
    const backlog = sized(100_000, 5_000);
    const slow = await stage.subscribe({
      expression: `${STATE} == "assessment"`,
      url: destinations.url(2),
      expects: ({ facts }) => facts[STATE] === 'assessment',
    });
    const others = await inBatches(range(20), (index) =>
      stage.subscribe({
        expression: `${STATE} == "interview"`,
        url: destinations.url(index % 2),
        expects: ({ facts }) => facts[STATE] === 'interview',
      }),
    );
    const answerSlowly = answerAfter(100);
    destinations.answerWith((reception, response, exchange) => {
      if (reception.subscriptionId === slow.id) answerSlowly(reception, response, exchange);
      else response.writeHead(204).end();
    });
    for (let raised = 0; raised < backlog; raised += 5_000)
      await stage.raise(5_000, { facts: { [STATE]: 'assessment' } });
    report.faults += 1;
    await waitUntil(
      'all events of the backlog are matched',
      600_000,
      async () => (await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'new'`)) === 0,
    );

    const raisedAt = Date.now();
    const events = sized(50, 10);
    await stage.raise(events);
    const arrived = (): number[] =>
      destinations.receptions.flatMap(({ subscriptionId, at }) => (subscriptionId === slow.id ? [] : [at - raisedAt]));
    await waitUntil(
      'the other subscriptions have all messages',
      600_000,
      () => arrived().length >= events * others.length,
    );
    const waiting = await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status = 'due'`);
    expect(waiting).toBeGreaterThan(0);
    report.note(
      `${arrived().length} messages of the other subscriptions took ${percentile(arrived(), 50)} ms (p50) and ` +
        `${percentile(arrived(), 100)} ms (all) beside a backlog of ${waiting}`,
    );
    await stage.client.delete(`/notification_topics/${slow.topic.id}`);
    await stage.settled();
    for (const [id, most] of destinations.mostInFlight)
      expect({ id, isWithinCap: most <= CAP }).toEqual({ id, isWithinCap: true });
    report.note(
      `at most ${Math.max(...destinations.mostInFlight.values())} concurrent requests to a subscription ` +
        `(limit ${CAP}); ` +
        'the topic of the backlog was deleted at the end, which cancelled the rest',
    );
    report.check(await stage.verdict());
  },
);
