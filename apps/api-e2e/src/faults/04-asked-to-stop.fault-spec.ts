import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { randomBetween } from './support/repeat.js';

faultTest({ number: 4, fault: 'SIGTERM under load', stage: { notifiers: 2, origins: 4 } }, async (stage, report) => {
  await stage.subscribeTimes(20);
  stage.destinations.answerWith(answerAfter(() => randomBetween(50, 1_000)));
  await stage.raise(sized(200, 15));
  let longestMs = 0;
  for (const stops = sized(6, 2); report.faults < stops; report.faults += 1) {
    await sleep(randomBetween(500, 1_500));
    const notifier = stage.notifiers[report.faults % 2];
    const signalledAt = performance.now();
    expect(await notifier?.end('SIGTERM')).toBe(0);
    longestMs = Math.max(longestMs, performance.now() - signalledAt);
    await notifier?.start();
  }
  report.note(`slowest exit ${(longestMs / 1_000).toFixed(1)} s (answers take up to 1 s; limit 20 s)`);
  await stage.settled();
  expect(await stage.count(`SELECT count(*) FROM notification_attempts WHERE state <> 'done'`)).toBe(0);
  report.check(await stage.verdict());
});
