import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IncomingHttpHeaders } from 'node:http';
import { verify } from '@ats/webhook-signing';
import { faultTest, sized } from './support/fault-test.js';
import { repeatUntil } from './support/repeat.js';

/** Maximum time in ms from the claim of a message, at which the notifier signs it, to its arrival. */
const SLACK_MS = 15_000;

interface Key {
  readonly text: string;
  /** The earliest and the latest time at which the key may sign, in milliseconds since 1970. */
  readonly from: number;
  until: number;
}

interface Signed {
  readonly at: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

function isSignedBy({ body, headers, at }: Signed, keys: readonly Key[]): boolean {
  const texts = keys.filter(({ from, until }) => from <= at && at <= until + SLACK_MS).map(({ text }) => text);
  try {
    verify({ body, headers, keys: texts, toleranceSeconds: 300, now: new Date(at) });
    return true;
  } catch {
    return false;
  }
}

faultTest(
  { number: 27, fault: 'signing keys rotated under load', isFast: true, stage: { notifiers: 2 } },
  async (stage, report) => {
    const subscription = await stage.subscribe();
    stage.destinations.clearKeys(subscription.id);
    const keys: Key[] = [{ text: subscription.signing_key, from: 0, until: Number.POSITIVE_INFINITY }];
    const signed: Signed[] = [];
    stage.destinations.answerWith(({ at }, response, { headers, body }) => {
      signed.push({ at, body, headers });
      response.writeHead(204).end();
    });
    const rotations = sized(20, 5);
    const rotating = (async () => {
      for (; report.faults < rotations; report.faults += 1) {
        // With an overlap of 0, the notifier must stop signing with the old key at once.
        const overlapSeconds = report.faults % 3;
        const from = Date.now();
        const { signing_key, next_signing_key } = await stage.client.post<{
          signing_key: string;
          next_signing_key?: string | null;
        }>(`/notification_topics/${subscription.topic.id}/subscriptions/${subscription.id}/rotate_key`, {
          overlap_s: overlapSeconds,
        });
        for (const key of keys) key.until = Math.min(key.until, Date.now() + overlapSeconds * 1_000);
        keys.push({ text: next_signing_key ?? signing_key, from, until: Number.POSITIVE_INFINITY });
        await sleep(overlapSeconds * 1_000 + 300);
      }
    })();
    await repeatUntil(rotating, 20, () => stage.raise(2));
    await stage.settled();
    expect(new Set(keys.map(({ text }) => text)).size).toBe(rotations + 1);
    expect(signed.filter((message) => !isSignedBy(message, keys)).length).toBe(0);
    stage.destinations.setKeys(
      subscription.id,
      keys.map(({ text }) => text),
    );
    report.check(await stage.verdict());
  },
);
