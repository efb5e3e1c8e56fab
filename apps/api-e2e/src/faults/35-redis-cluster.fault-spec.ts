import { waitUntil } from '../support/wait-until.js';
import { after } from './support/answers.js';
import { Asking, busyMaster, failedOver, limitsCount } from './support/failover.js';
import { faultTest, sized } from './support/fault-test.js';

const stageOptions = { notifiers: 2, origins: 2, settings: { RATE_LIMIT: '1000' }, servers: { redisKind: 'cluster' } } as const;

faultTest({ number: 35, fault: 'Redis Cluster: a master killed, its replica takes over', isFast: true, stage: stageOptions }, async (stage, report) => {
  const subscriptions = sized(10, 5);
  const events = sized(600, 40);
  await stage.subscribeTimes(subscriptions);
  await limitsCount(stage);
  stage.destinations.answerWith(after(20));
  const asking = new Asking(stage);
  const { receptions } = stage.destinations;
  for (const kills = sized(4, 1); report.faults < kills; report.faults += 1) {
    const before = receptions.length;
    await stage.raise(events);
    await waitUntil('messages flow', 600_000, () => receptions.length > before + events);
    const master = await busyMaster(stage);
    await master.end('SIGKILL');
    await stage.raise(events);
    const { promotedMs, backMs } = await failedOver(stage, master);
    report.note(`promoted after ${(promotedMs / 1_000).toFixed(1)} s, through Bull again after ${(backMs / 1_000).toFixed(1)} s`);
    await stage.raise(events);
    await master.start(); // as a replica of the one that took its place
    await stage.settled();
    await stage.servers.redisServers.inSync();
  }
  await limitsCount(stage);
  const asked = await asking.stop();
  report.note(`${asked} requests to the API meanwhile, the slowest ${asking.slowestMs.toFixed(0)} ms`);
  report.check(await stage.verdict());
});
