/**
 * @param {readonly number[]} values
 * @param {number} share 0.5 for the median; interpolates between two values
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;
