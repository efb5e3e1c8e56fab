import { waitUntil } from '../support/wait-until.js';
import { after } from './support/answers.js';
import { Asking, busyMaster, failedOver, limitsCount } from './support/failover.js';
import { faultTest, sized } from './support/fault-test.js';

/** A process that was stopped is as dead to the others as one that was killed, and wakes up as a master whose place is taken. */
const LOSSES = sized(4, 1);

faultTest(
  { number: 36, fault: 'Redis Sentinel: the master killed or frozen, its replica promoted', isFast: true, stage: { notifiers: 2, origins: 2, settings: { RATE_LIMIT: '1000' }, servers: { redisKind: 'sentinel' } } },
  async (stage, report) => {
    const subscriptions = sized(10, 5);
    const events = sized(600, 40);
    await stage.subscribeTimes(subscriptions);
    await limitsCount(stage);
    stage.destinations.answerWith(after(20));
    const asking = new Asking(stage);
    const { receptions } = stage.destinations;
    for (; report.faults < LOSSES; report.faults += 1) {
      const isFrozen = report.faults % 2 === 1;
      const before = receptions.length;
      await stage.raise(events);
      await waitUntil('messages flow', 600_000, () => receptions.length > before + events);
      const master = await busyMaster(stage);
      if (isFrozen) master.pause();
      else await master.end('SIGKILL');
      await stage.raise(events);
      const { promotedMs, backMs } = await failedOver(stage, master);
      report.note(`${isFrozen ? 'frozen' : 'killed'}: promoted after ${(promotedMs / 1_000).toFixed(1)} s, through Bull again after ${(backMs / 1_000).toFixed(1)} s`);
      await stage.raise(events);
      if (isFrozen) master.resume();
      else await master.start(); // the sentinels make it a replica
      await stage.settled();
      await stage.servers.redisServers.inSync();
    }
    await limitsCount(stage);
    const asked = await asking.stop();
    report.note(`${asked} requests to the API meanwhile, the slowest ${asking.slowestMs.toFixed(0)} ms`);
    report.check(await stage.verdict());
  },
);
