import { type Client, type NotificationExplanation, type NotificationTopicPreview } from '@ats/client';
import { type Command, Option } from 'commander';
import { connect, type Context, pathOf, print } from '../context.js';
import { UsageError } from '../errors.js';
import { EVENT_TYPES } from '../known-values.js';
import { suggest } from '../suggestions.js';
import { explanationText, previewText } from '../topic-texts.js';
import { positive } from './query.js';

interface TestOptions {
  readonly type?: string;
  readonly expression?: string;
  readonly event?: number;
  readonly limit: number;
}
interface Tested {
  readonly type: string;
  readonly expression: string | null;
}

const DEFAULT_LIMIT = 20;

/** Adds `ats topics test`. It shows which events a topic matches, and why. */
export function addTopics(program: Command, context: Context): void {
  const topics = program.command('topics').description('Test topics of notifications');
  topics
    .command('test')
    .description('Show which of the last events a topic would match, or why it matched one event')
    .argument('[topic]', 'the id of a topic; without it, give --type')
    .addOption(
      suggest(new Option('--type <type>', 'an event type, to test an expression before there is a topic'), EVENT_TYPES),
    )
    .option('--expression <expression>', 'an expression in place of the one of the topic')
    .option('--event <id>', 'explain step by step what happened to this event', positive)
    .option('--limit <number>', 'the largest number of events, newest first', positive, DEFAULT_LIMIT)
    .action(async (topic: string | undefined, options: TestOptions, command: Command) => {
      if ((topic === undefined) === (options.type === undefined))
        throw new UsageError('Give the id of a topic, or --type, but not both.');
      const client = connect(context);
      if (options.event !== undefined) {
        if (topic === undefined || options.expression !== undefined)
          throw new UsageError('--event explains a stored topic. Give its id, without --type and --expression.');
        const found = await explain(client, topic, options.event);
        print(context, command, found, explanationText);
        return;
      }
      const { type, expression } = topic === undefined ? typed(options) : await stored(client, topic);
      const tested = { type, expression: options.expression ?? expression, limit: options.limit };
      const { data } = await client.post<{ 200: NotificationTopicPreview }, unknown, true>({
        url: pathOf('notification_topics/preview'),
        body: tested,
        headers: { 'content-type': 'application/json' },
        throwOnError: true,
      });
      print(context, command, { ...tested, ...data }, (preview) => previewText(tested, preview));
    });
}

const typed = ({ type = '', expression = '' }: TestOptions): Tested => ({ type, expression });

async function stored(client: Client, topic: string): Promise<Tested> {
  const { data } = await client.get<{ 200: Tested }, unknown, true>({
    url: pathOf('notification_topics', topic),
    throwOnError: true,
  });
  return data;
}

async function explain(client: Client, topic: string, event: number): Promise<NotificationExplanation> {
  const { data } = await client.get<{ 200: NotificationExplanation }, unknown, true>({
    url: `${pathOf('notification_topics', topic)}/explain`,
    query: { event_id: event },
    throwOnError: true,
  });
  return data;
}
