import { type Client, items } from '@ats/client';
import { Argument, type Command } from 'commander';
import { connect, type Context, pathOf, print } from '../context.js';
import { UsageError } from '../errors.js';
import { itemText, tableText } from '../output.js';
import { hasNoPages, RESOURCES } from '../resources.js';
import { suggest } from '../suggestions.js';
import { positive, type QueryOptions, queryOf, withQuery } from './query.js';

type Item = Readonly<Record<string, unknown>>;
interface GetOptions extends QueryOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

const DEFAULT_LIMIT = 100;
const MAX_PER_PAGE = 1_000;

/** Adds `ats get`. It shows one item, or the items of a collection. */
export const addGet = (program: Command, context: Context): Command =>
  withQuery(program.command('get').alias('list'))
    .description('Show an item, or the items of a collection')
    .addArgument(suggest(new Argument('<resource>', 'a collection such as candidates'), RESOURCES))
    .argument('[id]', 'the id of one item')
    .option('--limit <number>', `the largest number of items (default: ${DEFAULT_LIMIT})`, positive)
    .option('--all', 'show all items, however many they are')
    .action(async (resource: string, id: string | undefined, options: GetOptions, command: Command) => {
      if (options.all && options.limit !== undefined) throw new UsageError('Give --limit or --all, not both.');
      const client = connect(context);
      if (id !== undefined) {
        const { layout, fields } = options;
        const query = { layout, fields };
        const { data } = await client.get<{ 200: Item }, unknown, true>({
          url: pathOf(resource, id),
          query,
          throwOnError: true,
        });
        print(context, command, data, itemText);
        return;
      }
      const found = await read(client, resource, options).catch((error: unknown) =>
        hasNoPages(error) ? readWhole(client, resource, options) : Promise.reject(error as Error),
      );
      const columns = options.fields?.split(',');
      print(context, command, found, (value) => (isList(value) ? tableText(value, columns) : itemText(value)));
    });

const isList = (value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);

/** Reads an item, or a list without pages, in one request. */
async function readWhole(client: Client, resource: string, options: GetOptions): Promise<Item | readonly Item[]> {
  const { data } = await client.get<{ 200: Item | readonly Item[] }, unknown, true>({
    url: pathOf(resource),
    query: queryOf(options),
    throwOnError: true,
  });
  return isList(data) && !options.all ? data.slice(0, options.limit ?? DEFAULT_LIMIT) : data;
}

/** Reads the pages of a collection until there are enough items. */
async function read(client: Client, resource: string, options: GetOptions): Promise<readonly Item[]> {
  const limit = options.all ? Infinity : (options.limit ?? DEFAULT_LIMIT);
  const query = { ...queryOf(options), per_page: Math.min(limit, MAX_PER_PAGE) };
  const list = (sent: { client: Client; query: object }) =>
    client.get<{ 200: readonly Item[] }, unknown, true>({
      url: pathOf(resource),
      query: sent.query as Record<string, unknown>,
      throwOnError: true,
    });
  const found: Item[] = [];
  for await (const item of items(list, { client, query })) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
