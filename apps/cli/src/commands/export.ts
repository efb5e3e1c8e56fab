import { createWriteStream, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadableStream } from 'node:stream/web';
import { type Client } from '@ats/client';
import { Argument, type Command, Option } from 'commander';
import { connect, type Context, pathOf, wantsJson } from '../context.js';
import { UsageError } from '../errors.js';
import { progress } from '../progress.js';
import { RESOURCES } from '../resources.js';
import { suggest } from '../suggestions.js';
import { type QueryOptions, queryOf, withQuery } from './query.js';

interface ExportOptions extends QueryOptions {
  readonly format: 'ndjson' | 'csv';
  readonly output?: string;
  readonly quiet?: boolean;
}

/** Adds `ats export`. It writes a whole collection, as it is at one moment, to a file or to the standard output. */
export const addExport = (program: Command, context: Context): Command =>
  withQuery(program.command('export'))
    .description('Write a whole collection to a file or to the standard output')
    .addArgument(suggest(new Argument('<collection>', 'a collection such as applications'), RESOURCES))
    .addOption(new Option('--format <format>', 'the format').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--output <file>', 'the file to write; it appears when the export is complete')
    .option('--quiet', 'show no progress')
    .action(async (collection: string, options: ExportOptions, command: Command) => {
      const { format } = options;
      const { stderr, stdout } = context;
      const client = connect(context);
      const target = options.output === undefined ? undefined : targetOf(options.output);
      const [url, query] = [pathOf(collection), queryOf(options)];
      const { data } = await client.get<{ 200: ReadableStream }, unknown, true>({
        url,
        query: { ...query, format },
        parseAs: 'stream',
        throwOnError: true,
      });
      const source = Readable.fromWeb(data);
      const isShown = stderr.isTTY && !options.quiet && !wantsJson(command);
      // The items are counted in parallel, so the count does not delay the export.
      const counted = isShown ? progress(stderr, { format, total: count(client, url, query) }) : new PassThrough();
      if (target === undefined) return pipeline(source, counted, stdout, { end: false });
      if (!target.isFile) return pipeline(source, counted, createWriteStream(target.path));
      const partial = `${target.path}.part`;
      try {
        await pipeline(source, counted, createWriteStream(partial, { fd: openFile(partial) }));
        renameSync(partial, target.path);
      } catch (error) {
        source.destroy(); // ends the request when the file could not be opened
        rmSync(partial, { force: true });
        throw error;
      }
    });

interface Target {
  readonly path: string;
  /** False for a device or a pipe. Such a target is written directly, because a file must not take its place. */
  readonly isFile: boolean;
}

/** Returns the target of `--output`, behind symbolic links. @throws {UsageError} when it is a folder */
function targetOf(output: string): Target {
  if (!existsSync(output)) return { path: output, isFile: true };
  const path = realpathSync(output);
  const stats = statSync(path);
  if (stats.isDirectory()) throw new UsageError(`--output: ${output} is a folder.`);
  return { path, isFile: stats.isFile() };
}

/** Opens a new file. @throws {UsageError} when the folder does not exist or is not writable */
function openFile(file: string): number {
  try {
    return openSync(file, 'w');
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the number of items that match, or undefined when the service does not know it in time. */
async function count(
  client: Client,
  url: string,
  query: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  try {
    const { response } = await client.head({ url, query: { ...query, per_page: 1 }, throwOnError: true });
    const total = response.headers.get('x-total-count');
    return total === null ? undefined : Number(total);
  } catch {
    return undefined; // The export goes on without a total.
  }
}
