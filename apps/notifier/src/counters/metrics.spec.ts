import { describe, expect, it } from '@jest/globals';
import { type RecordedAttempt, type RecordedResult, Metrics } from './metrics.js';
import { parseMetrics } from '../../test/metrics-text.js';

const attempt: RecordedAttempt = {
  occurred_dt: new Date(1_000),
  claimed_dt: new Date(1_400),
  attempts: 1,
  reason: 'auto',
};
const result: RecordedResult = { error: null, statusCode: 204, durationMs: 200, status: 'delivered' };
const read = async (metrics: Metrics): Promise<ReturnType<typeof parseMetrics>> =>
  parseMetrics(await metrics.registry.metrics());

describe('Metrics', () => {
  it('measures the time from an event to its first attempt and to its delivery', async () => {
    const metrics = new Metrics();
    metrics.attemptStarted(attempt);
    metrics.attemptFinished(attempt, result);
    const values = await read(metrics);
    expect(values.get('event_to_first_attempt_seconds_sum')).toBeCloseTo(0.4);
    expect(values.get('event_to_delivered_seconds_sum')).toBeCloseTo(0.6);
    expect(values.get('attempt_duration_seconds_sum')).toBeCloseTo(0.2);
  });

  it('excludes retries, redeliveries, test messages and failed attempts from the times since the event', async () => {
    const metrics = new Metrics();
    metrics.attemptStarted({ ...attempt, attempts: 2 });
    metrics.attemptStarted({ ...attempt, reason: 'ping' });
    metrics.attemptFinished({ ...attempt, reason: 'manual' }, result);
    metrics.attemptFinished(attempt, { ...result, error: 'timeout', statusCode: null, status: 'due' });
    const values = await read(metrics);
    expect(values.get('event_to_first_attempt_seconds_count')).toBe(0);
    expect(values.get('event_to_delivered_seconds_count')).toBe(0);
    expect(values.get('attempt_duration_seconds_count')).toBe(2);
  });

  it('labels attempts by reason, outcome and status class, and deliveries by their new status', async () => {
    const metrics = new Metrics();
    metrics.attemptFinished(attempt, result);
    metrics.attemptFinished(attempt, { ...result, error: 'status', statusCode: 503, status: 'due' });
    metrics.attemptFinished(
      { ...attempt, reason: 'manual' },
      { ...result, error: 'timeout', statusCode: null, status: null },
    );
    const values = await read(metrics);
    expect(values.get('attempts_total{reason="auto",outcome="success",status_class="2xx"}')).toBe(1);
    expect(values.get('attempts_total{reason="auto",outcome="status",status_class="5xx"}')).toBe(1);
    expect(values.get('attempts_total{reason="manual",outcome="timeout",status_class="none"}')).toBe(1);
    for (const status of ['delivered', 'due', 'superseded'])
      expect(values.get(`deliveries_settled_total{status="${status}"}`)).toBe(1);
  });

  it('counts deliveries in flight by lane until they succeed or fail', async () => {
    const metrics = new Metrics();
    let end = (): void => undefined;
    const work = metrics.follow('slow', new Promise<void>((resolve) => (end = resolve)));
    expect((await read(metrics)).get('deliveries_in_flight{lane="slow"}')).toBe(1);
    end();
    await work;
    await expect(metrics.follow('slow', Promise.reject(new Error('no')))).rejects.toThrow('no');
    const values = await read(metrics);
    expect(values.get('deliveries_in_flight{lane="slow"}')).toBe(0);
    expect(values.get('deliveries_in_flight{lane="hot"}')).toBe(0);
  });

  it('includes metrics of the process', async () => {
    expect(await new Metrics().registry.metrics()).toMatch(/^process_resident_memory_bytes \d+$/m);
  });
});
