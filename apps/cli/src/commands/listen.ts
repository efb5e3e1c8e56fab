import { type Client } from '@ats/client';
import { type Command, InvalidArgumentError } from 'commander';
import { isWebAddress } from '../config/login-file.js';
import { connect, type Context, pathOf, print } from '../context.js';
import { describeError, UsageError } from '../errors.js';
import { nextParcel } from '../listening/batch.js';
import { Endpoint } from '../listening/endpoint.js';
import { keepTrying } from '../listening/keep-trying.js';
import { forTerminal, textOf } from '../output.js';
import { positive } from './query.js';

interface ListenOptions {
  readonly forwardTo: string;
  readonly endpoint?: string;
  readonly after?: number;
  readonly timeout: number;
}

const DEFAULT_TIMEOUT_S = 30;
/** The largest number of endpoints that an error lists. */
const LISTED_ENDPOINTS = 20;
const CREATION = `ats create notification_endpoints --data \\
    '{ "name": "My machine", "topics": [{ "type": "CANDIDATE_CREATE" }] }'`;

/** Adds `ats listen`. It forwards the messages of an endpoint to an address that only this machine reaches. */
export const addListen = (program: Command, context: Context): Command =>
  program
    .command('listen')
    .description('Forward new notifications of an endpoint to an address on this machine, signed as if they were sent')
    .requiredOption('--forward-to <url>', 'the address, such as http://localhost:4000/hook', address)
    .option('--endpoint <id>', 'the id of the notification endpoint (default: the only endpoint)')
    .option('--after <position>', 'begin behind this position; 0 begins with the oldest message', position)
    .option('--timeout <seconds>', 'how long to wait for an answer of the address', positive, DEFAULT_TIMEOUT_S)
    .action(async (options: ListenOptions, command: Command) => {
      // Loads the modules `http` and `tls` of Node only for this command. Loading them takes longer than most other
      // commands.
      const { forward } = await import('../listening/forward.js');
      const sender = () => trying(() => endpoint.sender());
      const { signal, stderr } = context;
      const client = connect(context);
      const endpoint = new Endpoint(client, options.endpoint ?? (await onlyEndpoint(client)));
      await endpoint.sender(); // Reports missing scopes before the first message.
      let reached = options.after ?? (await endpoint.last());
      const say = (text: string): void => void stderr.write(`${forTerminal(text)}\n`);
      const trying = <T>(work: () => Promise<T>): Promise<T> =>
        keepTrying(work, signal, (error) =>
          say(error ? `${describeError(error, false)} ats tries again.` : 'The connection to the API works again.'),
        );
      const destination = {
        url: options.forwardTo,
        timeoutMs: options.timeout * 1_000,
        signal,
        onWait: (reason: string) => say(`${options.forwardTo}: ${reason}. ats tries again.`),
      };
      say(`listening for messages after position ${reached} of the endpoint; press Ctrl-C to stop`);
      try {
        for (;;) {
          let waiting = await trying(() => endpoint.next(reached));
          for (let [next, ...others] = waiting; next; [next, ...others] = waiting) {
            const parcel = nextParcel([next, ...others], await sender());
            const outcomes = await forward(parcel, sender, destination);
            for (const [index, { position: reachedNow, type, message_id: id }] of parcel.messages.entries()) {
              const outcome = outcomes[index] ?? '';
              const line = { position: reachedNow, type, id, outcome };
              print(context, command, line, () => `${textOf(type)}  ${textOf(id)}  ${outcome}\n`);
              reached = reachedNow;
            }
            waiting = waiting.slice(parcel.messages.length);
          }
        }
      } finally {
        say(`next: ${reached}`);
      }
    });

/** Returns the id of the only endpoint. @throws {UsageError} when there is none or more than one */
async function onlyEndpoint(client: Client): Promise<string> {
  const { data } = await client.get<{ 200: readonly { id: number; name?: string | null }[] }, unknown, true>({
    url: pathOf('notification_endpoints'),
    query: { per_page: LISTED_ENDPOINTS },
    throwOnError: true,
  });
  const [first, ...others] = data;
  if (!first) throw new UsageError(`There is no notification endpoint. This command creates one:\n  ${CREATION}`);
  if (others.length === 0) return String(first.id);
  const lines = data.map(({ id, name }) => `  --endpoint ${id}  ${textOf(name)}`.trimEnd());
  if (data.length === LISTED_ENDPOINTS) lines.push('  ats get notification_endpoints --all lists all endpoints');
  const places = [...lines, `  ${CREATION}`].join('\n');
  throw new UsageError(`There are several notification endpoints. Give the one to read, or create one:\n${places}`);
}

/** Checks the address that the messages are sent to. */
function address(text: string): string {
  if (!isWebAddress(text)) throw new InvalidArgumentError('expected an address such as http://localhost:4000/hook.');
  const { username, password } = new URL(text);
  if (username !== '' || password !== '')
    throw new InvalidArgumentError('expected an address without user name and password.');
  return text;
}

function position(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError('expected a whole number, at least 0.');
  return number;
}
