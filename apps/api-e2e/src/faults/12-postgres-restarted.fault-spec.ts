import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

const SUBSCRIPTIONS = 10;

for (const [fault, signal] of [
  ['PostgreSQL fast restart', 'SIGINT'],
  ['PostgreSQL immediate restart', 'SIGQUIT'],
] as const) {
  faultTest(
    {
      number: 12,
      fault,
      ...(signal === 'SIGQUIT' && { isFast: true }),
      isInAllModes: true,
      stage: { notifiers: 2, origins: 2 },
    },
    async (stage, report) => {
      await stage.subscribeTimes(SUBSCRIPTIONS);
      stage.destinations.answerWith(answerAfter(50));
      const events = sized(300, 40);
      await stage.raise(events);
      for (const restarts = sized(4, 1); report.faults < restarts; report.faults += 1) {
        const enough = ((report.faults + 1) * SUBSCRIPTIONS * events) / (restarts + 1);
        await waitUntil(`${enough} messages`, 600_000, () => stage.destinations.receptions.length >= enough);
        await stage.servers.postgres.end(signal);
        await stage.servers.postgres.start();
      }
      await stage.settled();
      report.check(await stage.verdict(), { duplicatesAtMost: report.faults * stage.mostInFlight(SUBSCRIPTIONS) });
    },
  );
}

faultTest(
  {
    number: 12,
    fault: 'PostgreSQL unavailable while answers arrive',
    isFast: true,
    isInAllModes: true,
    stage: { notifiers: 2, origins: 2 },
  },
  async (stage, report) => {
    await stage.subscribeTimes(SUBSCRIPTIONS);
    stage.destinations.answerWith(answerAfter(1_000));
    await stage.raise(sized(50, 8));
    await waitUntil('some messages are in flight', 300_000, () => stage.destinations.receptions.length >= 16);
    await stage.servers.postgres.end('SIGQUIT');
    report.faults += 1;
    const outageSeconds = sized(30, 3);
    await sleep(outageSeconds * 1_000);
    await stage.servers.postgres.start();
    await stage.settled();
    report.note(`unavailable for ${outageSeconds} s of 30 s`);
    report.check(await stage.verdict(), { duplicatesAtMost: stage.mostInFlight(SUBSCRIPTIONS) });
  },
);
