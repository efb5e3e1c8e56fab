import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { randomBetween, repeatUntil } from './support/repeat.js';

const SUBSCRIPTIONS = 20;
const ORIGINS = 4;

faultTest(
  {
    number: 1,
    fault: 'worker killed (SIGKILL) every 2 s',
    isFast: true,
    isInAllModes: true,
    stage: { notifiers: 2, origins: ORIGINS },
  },
  async (stage, report) => {
    await stage.subscribeTimes(SUBSCRIPTIONS);
    stage.destinations.answerWith(answerAfter(() => randomBetween(50, 250)));
    await stage.raise(sized(1_000, 100));
    await repeatUntil(stage.settled(), 2_000, async () => {
      const notifier = stage.notifiers[report.faults % 2];
      report.faults += 1;
      await notifier?.end('SIGKILL');
      await notifier?.start();
    });
    report.check(await stage.verdict(), { duplicatesAtMost: report.faults * stage.mostInFlight(SUBSCRIPTIONS) });
  },
);
