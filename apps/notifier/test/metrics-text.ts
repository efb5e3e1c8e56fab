const PREFIX = 'ats_notifier_';

/**
 * Parses the notifier's own metrics in the text format of Prometheus. Maps a name with labels, without the prefix of
 * the app, to its value: `attempts_total{reason="auto",…}`.
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
