import { expect } from '@jest/globals';
import { faultTest, sized } from './support/fault-test.js';
import { between } from './support/repeat.js';
import { expectCommittedChanges, makeApplications, move, present } from './support/state-changes.js';
import { setTimeout as sleep } from 'node:timers/promises';

const WRITERS = 8;

faultTest({ number: 2, fault: 'kill -9 the API between write and response', isFast: true }, async (stage, report) => {
  const applications = await makeApplications(stage, WRITERS);
  const since = await present(stage);
  const subscription = await stage.subscribe();
  let isWriting = true;
  let acknowledged = 0;
  let unanswered = 0;
  const writers = applications.map(async ({ id }) => {
    for (let turn = 0; isWriting; turn += 1) {
      // A request for the state that it is in already changes nothing: the next one does.
      const before = await stage.client
        .get<{ process_state: { state: string } }>(`/applications/${id}`)
        .catch(() => null);
      if (!before) {
        await sleep(20);
        continue;
      }
      await move(stage, id, before.process_state.state === 'on_hold' ? 'interview' : 'on_hold').then(
        () => (acknowledged += 1),
        () => (unanswered += 1),
      );
    }
  });
  for (const kills = sized(50, 3); report.faults < kills; report.faults += 1) {
    await sleep(between(100, 600));
    await stage.api.end('SIGKILL');
    await stage.api.start();
  }
  isWriting = false;
  await Promise.all(writers);
  const committed = await expectCommittedChanges(stage, [subscription.id], since);
  // Whatever was acknowledged is there, and of the rest no more than was asked for.
  expect(committed).toBeGreaterThanOrEqual(acknowledged);
  expect(committed).toBeLessThanOrEqual(acknowledged + unanswered);
  report.note(`${acknowledged} changes acknowledged, ${unanswered} without an answer, ${committed} committed`);
  await stage.settled();
  report.check(await stage.verdict());
});
