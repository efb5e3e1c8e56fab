import { expect } from '@jest/globals';
import { faultTest, sized } from './support/fault-test.js';
import { randomBetween } from './support/repeat.js';
import { expectCommittedChanges, latestIds, makeApplications, move } from './support/state-changes.js';
import { setTimeout as sleep } from 'node:timers/promises';

const WRITERS = 8;

faultTest(
  { number: 2, fault: 'API killed (SIGKILL) between write and response', isFast: true },
  async (stage, report) => {
    const applications = await makeApplications(stage, WRITERS);
    const since = await latestIds(stage);
    const subscription = await stage.subscribe();
    let isWriting = true;
    let acknowledged = 0;
    let unanswered = 0;
    const writers = applications.map(async ({ id }) => {
      for (let turn = 0; isWriting; turn += 1) {
        // Reads the state first, because a move to the current state would change nothing.
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
      await sleep(randomBetween(100, 600));
      await stage.api.end('SIGKILL');
      await stage.api.start();
    }
    isWriting = false;
    await Promise.all(writers);
    const committed = await expectCommittedChanges(stage, [subscription.id], since);
    // Every acknowledged change must be committed. A change without an answer may be committed or not.
    expect(committed).toBeGreaterThanOrEqual(acknowledged);
    expect(committed).toBeLessThanOrEqual(acknowledged + unanswered);
    report.note(`${acknowledged} changes acknowledged, ${unanswered} unanswered, ${committed} committed`);
    await stage.settled();
    report.check(await stage.verdict());
  },
);
