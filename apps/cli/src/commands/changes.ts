import { ApiError, type Change, changes } from '@ats/client';
import { type Command, Option } from 'commander';
import { connect, type Context, print } from '../context.js';
import { FOLLOWED_RESOURCES } from '../known-values.js';
import { textOf } from '../output.js';
import { suggest } from '../suggestions.js';

interface ChangesOptions {
  readonly since: string;
  readonly resources?: string;
  readonly follow?: boolean;
}

/** Adds `ats changes`. It prints the changes of items since a time, or since the token that an earlier call printed. */
export const addChanges = (program: Command, context: Context): Command =>
  program
    .command('changes')
    .description('Print changes of items. Standard error gets the token with which the next call continues')
    .option('--since <place>', 'a token of an earlier call, `now`, or a time with a time zone', 'now')
    .addOption(
      suggest(new Option('--resources <names>', 'names of resources, separated by commas'), FOLLOWED_RESOURCES),
    )
    .option('--follow', 'wait for further changes until Ctrl-C')
    .action(async ({ since, resources, follow = false }: ChangesOptions, command: Command) => {
      const client = connect(context);
      let token: string | undefined = since;
      try {
        const names = resources?.split(',') as Change['resource'][] | undefined;
        for await (const { items, next } of changes({
          client,
          since,
          resources: names,
          follow,
        })) {
          for (const item of items) print(context, command, item, lineOf);
          token = next;
        }
      } catch (error) {
        // Prints no token when the service has refused the value of `--since`, because nobody can continue from it.
        if (token === since && error instanceof ApiError && error.status === 400) token = undefined;
        throw error;
      } finally {
        if (token !== undefined) context.stderr.write(`next: ${textOf(token)}\n`);
      }
    });

const lineOf = ({ dt, change, url }: Change): string => `${textOf(dt)}  ${textOf(change).padEnd(10)}  ${textOf(url)}\n`;
