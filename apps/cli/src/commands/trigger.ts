import { setTimeout as pause } from 'node:timers/promises';
import { type Client } from '@ats/client';
import { Argument, type Command } from 'commander';
import { connect, type Context, pathOf, print } from '../context.js';
import { UsageError } from '../errors.js';
import { textOf } from '../output.js';
import { RECIPES } from '../samples/recipes.js';
import { Samples } from '../samples/samples.js';
import { suggest } from '../suggestions.js';

interface StoredEvent {
  readonly id: number;
  readonly type: string;
  readonly occurred_dt: string;
  readonly subject: { readonly id: number; readonly url: string } | null;
}

/** Values of the system's `environment` that name a development system. */
const DEVELOPMENT = ['development', 'test'];
/**
 * Longest wait in ms for an event. Some events come seconds after the request, because the notifier sends messages
 * first.
 */
const WAIT_MS = 30_000;
const POLL_MS = 200;

/** Adds `ats trigger`. It raises an event by changing an item with made-up values. */
export const addTrigger = (program: Command, context: Context): Command =>
  program
    .command('trigger')
    .description('Raise a sample event in a development system. The made-up items are not deleted')
    .addArgument(suggest(new Argument('<type>', 'an event type such as CANDIDATE_CREATE'), Object.keys(RECIPES).sort()))
    .action(async (type: string, _options: object, command: Command) => {
      const recipe = RECIPES[type];
      if (!recipe || !Object.hasOwn(RECIPES, type)) throw new UsageError(await refusal(type));
      const client = connect(context);
      await refuseProduction(client);
      const since = (await events(client, { type, sort: ['id!desc'], per_page: 1 }))[0]?.id ?? 0;
      const { id } = await recipe(new Samples(client));
      const event = await eventOf(client, type, since, id, context.signal);
      const subject = event.subject?.url ?? `subject ${id}`;
      print(context, command, event, () => `${type}  event ${event.id}  ${textOf(subject)}\n`);
    });

async function refusal(type: string): Promise<string> {
  const types = Object.keys(RECIPES).sort();
  const { findSimilar } = await import('../language/similar.js');
  const similar = findSimilar(type.toUpperCase(), types);
  const hint = similar === undefined ? `These types can be:\n${types.join('\n')}` : `Did you mean ${similar}?`;
  return `${type} cannot be triggered. ${hint}`;
}

/** Refuses services with real data. @throws {UsageError} when the service is not a development system */
async function refuseProduction(client: Client): Promise<void> {
  const { data } = await client.get<{ 200: readonly { environment?: string }[] }, unknown, true>({
    url: pathOf('systems'),
    throwOnError: true,
  });
  const found = data[0]?.environment ?? 'unknown';
  if (!DEVELOPMENT.includes(found.toLowerCase()))
    throw new UsageError(
      `This is no development system: its environment is "${found}". ats trigger creates made-up candidates, so it ` +
        `needs the environment ${DEVELOPMENT.join(' or ')}. SYSTEM_ENVIRONMENT and PATCH /systems/1 set it.`,
    );
}

async function events(client: Client, query: Readonly<Record<string, unknown>>): Promise<readonly StoredEvent[]> {
  const { data } = await client.get<{ 200: readonly StoredEvent[] }, unknown, true>({
    url: pathOf('notification_events'),
    query,
    throwOnError: true,
  });
  return data;
}

/** Waits for the event of a subject. @throws {Error} when it does not come in time */
async function eventOf(
  client: Client,
  type: string,
  since: number,
  subject: number,
  signal: AbortSignal,
): Promise<StoredEvent> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await events(client, { type, since_id: since });
    // The service hides the subject of an event when the credential may not read it. In this case, the newest event
    // without a subject is most likely the right one.
    const event = found.find((one) => one.subject?.id === subject) ?? found.findLast((one) => one.subject === null);
    if (event) return event;
    if (performance.now() > deadline)
      throw new Error(`The change was made, but no event ${type} of subject ${subject} came within 30 seconds.`);
    await pause(POLL_MS, undefined, { signal });
  }
}
