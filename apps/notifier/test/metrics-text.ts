const PREFIX = 'ats_notifier_';

/**
 * Parses the notifier's own metrics from Prometheus' text format. Keys are name and labels without the prefix, such as
 * `attempts_total{reason="auto",…}`.
 */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const samples = text.split('\n').filter((line) => line.startsWith(PREFIX));
  return new Map(
    samples.map((line) => [
      line.slice(PREFIX.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}
