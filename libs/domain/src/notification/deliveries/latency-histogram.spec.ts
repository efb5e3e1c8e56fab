import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addHistograms, histogramOf, LATENCY_BUCKETS, latencyBucket, latencyQuantile } from './latency-histogram.js';

const latency = fc.integer({ min: 0, max: 65_000 });
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });
const quantile = fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1);

/** Returns the exact quantile by the nearest-rank method. */
function exact(values: readonly number[], q: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? 0;
}

describe('a latency histogram', () => {
  it('estimates a quantile within 19 % of the exact one, apart from rounding', () => {
    fc.assert(
      fc.property(latencies, quantile, (values, q) => {
        const shown = latencyQuantile(histogramOf(values), q) ?? -1;
        const found = Math.max(1, exact(values, q));
        expect(shown).toBeLessThanOrEqual(found * 1.19 + 0.5);
        expect(shown).toBeGreaterThanOrEqual(found / 1.19 - 0.5);
      }),
    );
  });

  it('gives the same result for all latencies at once as for the sum of two histograms', () => {
    fc.assert(
      fc.property(latencies, latencies, (one, other) => {
        expect(addHistograms(histogramOf(one), histogramOf(other))).toEqual(histogramOf([...one, ...other]));
      }),
    );
  });

  it('counts each latency in exactly one bucket, and a longer latency never in an earlier bucket', () => {
    fc.assert(
      fc.property(latency, latency, (one, other) => {
        expect(histogramOf([one, other]).reduce((sum, count) => sum + count)).toBe(2);
        expect(Math.sign(latencyBucket(one) - latencyBucket(other)) * Math.sign(one - other)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 2],
    [1_024, 20],
    [1e9, LATENCY_BUCKETS - 1],
  ])('puts %i ms into the bucket %i', (ms, bucket) => {
    expect(latencyBucket(ms)).toBe(bucket);
  });

  it('estimates no quantile when it is empty', () => {
    expect(latencyQuantile(histogramOf([]), 0.5)).toBeNull();
  });
});
