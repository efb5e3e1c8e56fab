import { Transform } from 'node:stream';

/** The options of the progress of an export. */
export interface ProgressOptions {
  readonly format: 'ndjson' | 'csv';
  /** The number of items, or undefined when the service does not know it. */
  readonly total: Promise<number | undefined>;
}

/** Milliseconds between two updates of the progress. */
const PROGRESS_MS = 200;
const BAR_WIDTH = 30;
const [LINE_FEED, QUOTE] = [0x0a, 0x22];

/** Returns the text of the progress: a bar with the share and the total when the total is known. */
export function progressText(items: number, bytes: number, total: number | undefined): string {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (total === undefined) return `${items} items, ${size}`;
  // The share is at most 100 %, even if items were created between the count and the export.
  const share = total === 0 ? 1 : Math.min(items / total, 1);
  const full = Math.floor(share * BAR_WIDTH);
  const bar = '#'.repeat(full) + '-'.repeat(BAR_WIDTH - full);
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${items} of ${total} items, ${size}`;
}

/** Passes on the bytes of an export, and shows on a terminal how many items have passed. */
export function progress(terminal: NodeJS.WriteStream, { format, total }: ProgressOptions): Transform {
  let bytes = 0;
  let lines = 0;
  let known: number | undefined;
  let isQuoted = false; // A cell of a CSV table can contain line feeds.
  let shownAt = 0;
  let width = 0;
  void total.then((found) => (known = found));
  const show = (end: string): void => {
    const items = format === 'csv' ? Math.max(0, lines - 1) : lines; // The first line of a CSV table is its header.
    const text = progressText(items, bytes, known);
    terminal.write(`\r${text.padEnd(width)}${end}`);
    width = text.length;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      for (const byte of chunk)
        if (byte === LINE_FEED && !isQuoted) lines += 1;
        else if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      if (performance.now() - shownAt > PROGRESS_MS) {
        shownAt = performance.now();
        show('');
      }
      done(null, chunk);
    },
    flush(done) {
      show('\n');
      done();
    },
    destroy(error, done) {
      if (error && shownAt > 0) show('\n'); // Otherwise the next text would continue the line of the progress.
      done(error);
    },
  });
}
