import { faultTest, sized } from './support/fault-test.js';
import { randomBetween } from './support/repeat.js';

const DAY_MS = 86_400_000;
/** Time in ms in which all subscriptions are created. Even a busy machine needs less. */
const WRITING_MS = 1_200_000;

faultTest(
  { number: 31, fault: 'subscription periods start and end to the millisecond', isFast: true },
  async (stage, report) => {
    const now = Date.now();
    const midnight = Math.ceil((now + WRITING_MS) / DAY_MS) * DAY_MS;
    // One period starts at midnight, where a new table partition begins. All periods start after their subscriptions
    // are created.
    const windows = [
      { start: midnight, end: midnight + DAY_MS },
      ...Array.from({ length: sized(40, 10) }, () => {
        const start = Math.round(now + randomBetween(WRITING_MS, 2 * WRITING_MS));
        return { start, end: start + Math.round(randomBetween(1, 5_000)) };
      }),
    ];
    const moments = new Set<number>();
    for (const { start, end } of windows) {
      await stage.subscribe({
        window: { start_dt: new Date(start).toISOString(), end_dt: new Date(end).toISOString() },
        expects: ({ occurred }) => occurred !== null && start <= occurred.getTime() && occurred.getTime() < end,
      });
      for (const moment of [start - 1, start, end - 1, end]) moments.add(moment);
    }
    // A subscription with a start in the past begins when it is created.
    const open = await stage.subscribe({
      window: { start_dt: '2020-01-01T00:00:00.000Z' },
      expects: ({ occurred }) => occurred !== null && occurred.getTime() >= createdAt,
    });
    const createdAt = Date.parse(String(open['created_dt']));
    for (const moment of [createdAt - 1, createdAt, createdAt + 1]) moments.add(moment);
    for (const moment of moments) {
      await stage.raise(1, { occurred: new Date(moment) });
      report.faults += 1;
    }
    await stage.settled();
    report.check(await stage.verdict());
  },
);
