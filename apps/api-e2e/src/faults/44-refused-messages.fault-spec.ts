import { type Answer } from './support/destination.js';
import { faultTest, sized } from './support/fault-test.js';

const SUBSCRIPTIONS = 4;
const SUBJECTS = 5;
const DELAYS = '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1';

faultTest(
  {
    number: 44,
    fault: 'destination refuses a third of all requests',
    isFast: true,
    isInAllModes: true,
    stage: { notifiers: 2, settings: { DELIVERY_SCHEDULE: DELAYS } },
  },
  async (stage, report) => {
    await stage.subscribeTimes(SUBSCRIPTIONS);
    const answer: Answer = (_, response) => {
      const isRefused = Math.random() < 1 / 3;
      if (isRefused) report.faults += 1;
      response.writeHead(isRefused ? 500 : 204).end();
    };
    stage.destinations.answerWith(answer);
    for (let subjectId = 1; subjectId <= SUBJECTS; subjectId++) await stage.raise(sized(40, 8), { subjectId });
    await stage.settled();
    report.check(await stage.verdict());
  },
);
