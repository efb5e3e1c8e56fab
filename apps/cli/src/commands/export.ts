import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadableStream } from 'node:stream/web';
import { type Command, Option } from 'commander';
import { connect, type Context, pathOf } from '../context.js';
import { UsageError } from '../errors.js';
import { type QueryOptions, queryOf, withQuery } from './query.js';

interface ExportOptions extends QueryOptions {
  readonly format: 'ndjson' | 'csv';
  readonly output?: string;
}

/** Milliseconds between two updates of the progress. */
const PROGRESS_MS = 200;

/** Adds `ats export`. It writes a whole collection, as it is at one moment, to a file or to the standard output. */
export const addExport = (program: Command, context: Context): Command =>
  withQuery(program.command('export'))
    .description('Write a whole collection to a file or to the standard output')
    .argument('<collection>', 'a collection such as applications')
    .addOption(new Option('--format <format>', 'the format').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--output <file>', 'the file to write; it appears when the export is complete')
    .action(async (collection: string, options: ExportOptions) => {
      const { data } = await connect(context).get<{ 200: ReadableStream }, unknown, true>({
        url: pathOf(collection),
        query: { ...queryOf(options), format: options.format },
        parseAs: 'stream',
        throwOnError: true,
      });
      const { stderr, stdout } = context;
      const source = Readable.fromWeb(data);
      const counted = progress(stderr);
      if (options.output === undefined) return pipeline(source, counted, stdout, { end: false });
      const partial = `${options.output}.part`;
      try {
        await pipeline(source, counted, createWriteStream(partial, { fd: openFile(partial) }));
        renameSync(partial, options.output);
      } catch (error) {
        source.destroy(); // ends the request when the file could not be opened
        rmSync(partial, { force: true });
        throw error;
      }
    });

/** Opens a new file. @throws {UsageError} when the folder does not exist or is not writable */
function openFile(file: string): number {
  try {
    return openSync(file, 'w');
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`, { cause: error });
  }
}

/** Passes on the bytes of an export. On a terminal, it shows how many bytes and lines have passed. */
function progress(stream: NodeJS.WriteStream): Transform {
  let bytes = 0;
  let lines = 0;
  let shownAt = 0;
  const show = (end: string): void => {
    if (stream.isTTY) stream.write(`\r${lines} lines, ${(bytes / 1_000_000).toFixed(1)} MB${end}`);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 0x0a) lines += 1;
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
