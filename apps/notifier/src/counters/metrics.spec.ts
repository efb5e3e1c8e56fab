import { describe, expect, it } from '@jest/globals';
import { type MeasuredAttempt, type MeasuredResult, Measures } from './metrics.js';
import { parseMetrics } from '../../test/metrics-text.js';

const attempt: MeasuredAttempt = {
  occurred_dt: new Date(1_000),
  claimed_dt: new Date(1_400),
  attempts: 1,
  reason: 'auto',
};
const result: MeasuredResult = { error: null, statusCode: 204, durationMs: 200, status: 'delivered' };
const read = async (measures: Measures): Promise<ReturnType<typeof parseMetrics>> =>
  parseMetrics(await measures.registry.metrics());

describe('measures', () => {
  it('time the way from an event to its first attempt, and to its delivery', async () => {
    const measures = new Measures();
    measures.attemptBegun(attempt);
    measures.attemptFinished(attempt, result);
    const metrics = await read(measures);
    expect(metrics.get('event_to_first_attempt_seconds_sum')).toBeCloseTo(0.4);
    expect(metrics.get('event_to_delivered_seconds_sum')).toBeCloseTo(0.6);
    expect(metrics.get('attempt_duration_seconds_sum')).toBeCloseTo(0.2);
  });

  it('leave out of these times a later attempt, one that a client asked for, and one that failed', async () => {
    const measures = new Measures();
    measures.attemptBegun({ ...attempt, attempts: 2 });
    measures.attemptBegun({ ...attempt, reason: 'ping' });
    measures.attemptFinished({ ...attempt, reason: 'manual' }, result);
    measures.attemptFinished(attempt, { ...result, error: 'timeout', statusCode: null, status: 'due' });
    const metrics = await read(measures);
    expect(metrics.get('event_to_first_attempt_seconds_count')).toBe(0);
    expect(metrics.get('event_to_delivered_seconds_count')).toBe(0);
    expect(metrics.get('attempt_duration_seconds_count')).toBe(2);
  });

  it('tell attempts apart by reason, outcome and class of the status, and deliveries by what came of them', async () => {
    const measures = new Measures();
    measures.attemptFinished(attempt, result);
    measures.attemptFinished(attempt, { ...result, error: 'status', statusCode: 503, status: 'due' });
    measures.attemptFinished(
      { ...attempt, reason: 'manual' },
      { ...result, error: 'timeout', statusCode: null, status: null },
    );
    const metrics = await read(measures);
    expect(metrics.get('attempts_total{reason="auto",outcome="success",status_class="2xx"}')).toBe(1);
    expect(metrics.get('attempts_total{reason="auto",outcome="status",status_class="5xx"}')).toBe(1);
    expect(metrics.get('attempts_total{reason="manual",outcome="timeout",status_class="none"}')).toBe(1);
    for (const status of ['delivered', 'due', 'superseded'])
      expect(metrics.get(`deliveries_settled_total{status="${status}"}`)).toBe(1);
  });

  it('count what is in flight by lane until it has ended, well or not', async () => {
    const measures = new Measures();
    let end = (): void => undefined;
    const work = measures.follow('slow', new Promise<void>((resolve) => (end = resolve)));
    expect((await read(measures)).get('deliveries_in_flight{lane="slow"}')).toBe(1);
    end();
    await work;
    await expect(measures.follow('slow', Promise.reject(new Error('no')))).rejects.toThrow('no');
    const metrics = await read(measures);
    expect(metrics.get('deliveries_in_flight{lane="slow"}')).toBe(0);
    expect(metrics.get('deliveries_in_flight{lane="hot"}')).toBe(0);
  });

  it('speak of the process too', async () => {
    expect(await new Measures().registry.metrics()).toMatch(/^process_resident_memory_bytes \d+$/m);
  });
});
