import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

for (const appendonly of ['no', 'yes']) {
  const fault = `Redis killed and restarted ${appendonly === 'yes' ? 'with' : 'without'} AOF`;
  faultTest(
    {
      number: 7,
      fault,
      ...(appendonly === 'no' && { isFast: true }),
      isInAllModes: true,
      stage: { notifiers: 2, origins: 2, servers: { redis: { appendonly } } },
    },
    async (stage, report) => {
      const subscriptions = await stage.subscribeTimes(10);
      const events = sized(600, 60);
      const kills = sized(5, 2);
      stage.destinations.answerWith(answerAfter(20));
      await stage.raise(events);
      const { receptions } = stage.destinations;
      for (; report.faults < kills; report.faults += 1) {
        const enough = ((report.faults + 1) * subscriptions.length * events) / (kills + 1);
        await waitUntil(`${enough} messages`, 600_000, () => receptions.length >= enough);
        await stage.servers.redis.end('SIGKILL');
        await stage.servers.redis.start();
      }
      await stage.settled();
      report.check(await stage.verdict());
    },
  );
}
