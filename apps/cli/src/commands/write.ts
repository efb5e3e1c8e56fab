import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { connect, type Context, pathOf, print, readAll } from '../context.js';
import { UsageError } from '../errors.js';
import { itemText } from '../output.js';
import { RESOURCES } from '../resources.js';
import { suggest } from '../suggestions.js';

const DATA = 'the body as JSON; @file reads a file, and - the standard input';
type Item = Readonly<Record<string, unknown>>;

/** Adds `ats create`, `ats patch` and `ats delete`. */
export function addWrites(program: Command, context: Context): void {
  const show = (item: Item, command: Command): void => print(context, command, item, itemText);

  program
    .command('create')
    .description('Create an item')
    .addArgument(suggest(new Argument('<resource>', 'a collection such as candidates'), RESOURCES))
    .requiredOption('--data <json>', DATA)
    .option('--idempotency-key <key>', 'create the item once, however often the command runs with this key')
    .action(async (resource: string, options: { data: string; idempotencyKey?: string }, command: Command) => {
      const body = await readBody(options.data, context);
      const key = options.idempotencyKey;
      const { data } = await connect(context).post<{ 201: Item }, unknown, true>({
        url: pathOf(resource),
        body,
        headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
        throwOnError: true,
      });
      show(data, command);
    });

  program
    .command('patch')
    .alias('update')
    .description('Change properties of an item')
    .addArgument(suggest(new Argument('<resource>', 'a collection such as candidates'), RESOURCES))
    .argument('<id>', 'the id of the item')
    .requiredOption('--data <json>', DATA)
    .action(async (resource: string, id: string, options: { data: string }, command: Command) => {
      const body = await readBody(options.data, context);
      const { data } = await connect(context).patch<{ 200: Item }, unknown, true>({
        url: pathOf(resource, id),
        body,
        headers: { 'content-type': 'application/json' },
        throwOnError: true,
      });
      show(data, command);
    });

  program
    .command('delete')
    .description('Delete an item')
    .addArgument(suggest(new Argument('<resource>', 'a collection such as candidates'), RESOURCES))
    .argument('<id>', 'the id of the item')
    .action(async (resource: string, id: string) => {
      await connect(context).delete({ url: pathOf(resource, id), throwOnError: true });
    });
}

/** Reads the value of `--data`. @throws {UsageError} when it is not JSON */
async function readBody(data: string, context: Context): Promise<unknown> {
  const given = data === '-' ? await readAll(context) : data.startsWith('@') ? readFile(data.slice(1)) : data;
  try {
    return JSON.parse(given);
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`, { cause: error });
  }
}
