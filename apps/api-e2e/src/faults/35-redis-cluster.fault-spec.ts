import { endWhileFrozen, loseMasters } from './support/failover.js';
import { faultTest } from './support/fault-test.js';

faultTest(
  {
    number: 35,
    fault: 'Redis Cluster: masters killed or frozen, replicas promoted',
    isFast: true,
    stage: { notifiers: 2, origins: 2, settings: { RATE_LIMIT: '1000' }, servers: { redisKind: 'cluster' } },
  },
  async (stage, report) => {
    await loseMasters(stage, report);
    await endWhileFrozen(stage, report);
  },
);
