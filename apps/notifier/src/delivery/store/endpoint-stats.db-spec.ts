import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { histogramOf } from '@ats/domain';
import { type Database } from '@ats/postgres';
import fc from 'fast-check';
import { eventually } from '../../../test/eventually.js';
import { readAttempts, readDeliveries, recordEvent, subscribe } from '../../../test/fixtures.js';
import { useReceiver } from '../../../test/receiver.js';
import { useStage } from '../../../test/running-notifier.js';
import { EndpointStats } from './endpoint-stats.js';

const stage = useStage();
const receiver = useReceiver();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const addEndpoint = async (options?: Parameters<typeof subscribe>[1]): Promise<number> => {
  const { subscription } = await subscribe(database, options);
  const [row] = await database.query<{ id: number }>(
    'SELECT endpoint_id AS id FROM notification_subscriptions WHERE id = $1',
    [subscription.id],
  );
  return row?.id ?? 0;
};

const attempt = fc.record({
  endpoint: fc.nat({ max: 2 }),
  error: fc.constantFrom(null, null, 'timeout' as const, 'status' as const),
  reason: fc.constantFrom('auto' as const, 'manual' as const, 'recover' as const, 'ping' as const),
  isOwnError: fc.constantFrom(false, false, false, true),
  durationMs: fc.nat({ max: 20_000 }),
  finished: fc.constantFrom(
    new Date('2026-03-01T23:54:59.999Z'),
    new Date('2026-03-01T23:55:00.000Z'),
    new Date('2026-03-02T00:00:00.000Z'),
  ),
  writer: fc.nat({ max: 1 }),
});

describe('the counts of endpoints', () => {
  it('contain every attempt exactly once in each period when two notifiers write at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 40 }), async (given) => {
        const ids = [await addEndpoint(), await addEndpoint(), await addEndpoint()];
        const attempts = given.map(({ endpoint, ...rest }) => ({ ...rest, endpointId: ids[endpoint] ?? 0 }));
        const writers = [new EndpointStats(database), new EndpointStats(database)];
        for (const half of [attempts.slice(0, given.length / 2), attempts.slice(given.length / 2)]) {
          for (const { endpointId, finished, writer, reason, ...outcome } of half)
            writers[writer]?.add(
              { endpoint_id: endpointId, reason, claimed_dt: new Date(finished.getTime() - outcome.durationMs) },
              outcome,
            );
          await Promise.all(writers.map((writer) => writer.write()));
        }
        for (const id of ids)
          for (const seconds of [300, 3_600, 86_400]) {
            const rows = await database.query<{ from: Date; cause: string; attempts: number; latencies: number[] }>(
              `SELECT from_dt AS "from", cause, attempts, latencies FROM notification_endpoint_stats
               WHERE endpoint_id = $1 AND seconds = $2`,
              [id, seconds],
            );
            const own = attempts.filter(
              ({ endpointId, reason, isOwnError }) => endpointId === id && reason !== 'ping' && !isOwnError,
            );
            expect(rows.reduce((sum, row) => sum + row.attempts, 0)).toBe(own.length);
            for (const { from, cause, attempts: count, latencies } of rows) {
              const same = own.filter(
                ({ finished, error }) =>
                  (error ?? '') === cause && finished >= from && finished.getTime() < from.getTime() + seconds * 1_000,
              );
              expect(count).toBe(same.length);
              expect(latencies).toEqual(cause === '' ? histogramOf(same.map(({ durationMs }) => durationMs)) : []);
            }
          }
      }),
      { numRuns: 25 },
    );
  });

  it('are left out for a deleted endpoint, and are written again after a failed write', async () => {
    const id = await addEndpoint();
    let isAvailable = false;
    const unreliable = Object.create(database, {
      query: {
        value: (text: string, values: readonly unknown[]) =>
          isAvailable ? database.query(text, values) : Promise.reject(new Error('unavailable')),
      },
    }) as Database;
    const stats = new EndpointStats(unreliable);
    for (const endpoint_id of [id, id + 1_000_000])
      stats.add(
        { endpoint_id, reason: 'auto', claimed_dt: new Date() },
        { error: null, isOwnError: false, durationMs: 1 },
      );
    await expect(stats.write()).rejects.toThrow('unavailable');
    isAvailable = true;
    await stats.write();
    await stats.write();
    expect(
      await database.query(
        'SELECT seconds, attempts FROM notification_endpoint_stats WHERE endpoint_id >= $1 ORDER BY seconds',
        [id],
      ),
    ).toEqual([300, 3_600, 86_400].map((seconds) => ({ seconds, attempts: 1 })));
  });

  it('are complete after a notifier has stopped', async () => {
    const id = await addEndpoint({ url: receiver.url });
    receiver.respond = ({ message }, response) => {
      const { id } = message['details'] as { readonly id: number };
      response.writeHead(id === 2 ? 500 : 204).end();
    };
    await stage.start();
    for (const subjectId of [1, 2, 3]) await recordEvent(database, { subjectId });
    await stage.wake();
    await eventually(async () =>
      expect((await readDeliveries(database)).map(({ status }) => status).sort()).toEqual([
        'delivered',
        'delivered',
        'due',
      ]),
    );
    await stage.stopNotifiers();
    const attempts = await readAttempts(database);
    const counted = await database.query<{ seconds: number; cause: string; attempts: number }>(
      `SELECT seconds, cause, sum(attempts) AS attempts FROM notification_endpoint_stats WHERE endpoint_id = $1
       GROUP BY seconds, cause`,
      [id],
    );
    for (const seconds of [300, 3_600, 86_400])
      for (const [cause, error] of [
        ['', null],
        ['status', 'status'],
      ] as const)
        expect(counted).toContainEqual({
          seconds,
          cause,
          attempts: attempts.filter((attempt) => attempt.error === error).length,
        });
    expect(counted).toHaveLength(6);
  });
});
