import { faultTest, sized } from './support/fault-test.js';
import { waitUntil } from '../support/wait-until.js';

const FLUSHES = 10;

faultTest(
  { number: 6, fault: 'Redis flushed 10 times under load', isFast: true, stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    const subscriptions = 10;
    const events = sized(1_000, 100);
    await stage.subscribeTimes(subscriptions);
    stage.destinations.answerWith((_, response) => void setTimeout(() => response.writeHead(204).end(), 10));
    await stage.raise(events);
    const { receptions } = stage.destinations;
    for (; report.faults < FLUSHES; report.faults += 1) {
      const enough = ((report.faults + 1) * subscriptions * events) / (FLUSHES + 1);
      await waitUntil(`${enough} messages`, 600_000, () => receptions.length >= enough);
      await stage.redis.flushall();
    }
    await stage.settled();
    report.check(await stage.verdict());
  },
);
