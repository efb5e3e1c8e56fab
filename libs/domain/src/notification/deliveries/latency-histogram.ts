/**
 * The number of attempts in each of {@link LATENCY_BUCKETS} buckets of latencies. Two histograms are added bucket by
 * bucket.
 */
export type LatencyHistogram = readonly number[];

/**
 * The number of buckets. Bucket `k` begins at 2^(k/2) ms. The first bucket also has all shorter latencies, and the last
 * one all longer ones.
 */
export const LATENCY_BUCKETS = 32;

/** Returns the index of the bucket for a latency in milliseconds. */
export const latencyBucket = (ms: number): number =>
  Math.min(LATENCY_BUCKETS - 1, Math.max(0, Math.floor(2 * Math.log2(Math.max(1, ms)))));

/** Makes a histogram of latencies in milliseconds. */
export function histogramOf(latencies: readonly number[]): LatencyHistogram {
  const buckets = Array.from({ length: LATENCY_BUCKETS }, () => 0);
  for (const ms of latencies) buckets[latencyBucket(ms)] = (buckets[latencyBucket(ms)] ?? 0) + 1;
  return buckets;
}

export const addHistograms = (one: LatencyHistogram, other: LatencyHistogram): LatencyHistogram =>
  one.map((count, index) => count + (other[index] ?? 0));

/**
 * Estimates a quantile, such as 0.99, in whole milliseconds. The estimate is the geometric middle of the bucket that
 * has the quantile (nearest rank). Apart from rounding, its error is below 19 % for latencies from 1 ms to 65 s.
 * @returns null for an empty histogram
 */
export function latencyQuantile(histogram: LatencyHistogram, quantile: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * total));
  let passed = 0;
  const bucket = histogram.findIndex((count) => (passed += count) >= rank);
  return Math.round(2 ** ((bucket + 0.5) / 2));
}
