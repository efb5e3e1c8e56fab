import { type Client } from '@ats/client';
import { SIGNATURE_HEADER, sign, signStandardWebhook } from '@ats/webhook-signing';
import { type Command } from 'commander';
import { connect, type Context, pathOf, wantsJson } from '../context.js';
import { UsageError } from '../errors.js';

interface ListenOptions {
  readonly forwardTo: string;
  readonly endpoint: string;
  readonly after?: string;
}

interface FeedMessage {
  readonly position: number;
  readonly type: string;
  readonly sequence: number;
  readonly message_id: string;
  readonly body: string;
}
interface Feed {
  readonly items: readonly FeedMessage[];
  readonly next: number;
  readonly has_more: boolean;
}

/** Seconds of one waiting request. */
const WAIT_SECONDS = 55;
const FORWARD_MS = 30_000;

/** `ats listen`: forwards the messages of an endpoint to an address that only this machine reaches. */
export const addListen = (program: Command, context: Context): Command =>
  program
    .command('listen')
    .description('Forward new notifications of an endpoint to an address on this machine, signed as if they were sent')
    .requiredOption('--forward-to <url>', 'the address, such as http://localhost:4000/hook')
    .requiredOption('--endpoint <id>', 'the id of the notification endpoint')
    .option('--after <position>', 'begin behind this position; 0 begins with the oldest message')
    .action(async ({ forwardTo, endpoint, after }: ListenOptions, command: Command) => {
      if (!URL.canParse(forwardTo)) throw new UsageError(`--forward-to: expected an address, found ${forwardTo}`);
      const client = connect(context);
      const key = await keyOf(client, endpoint);
      const { signal, stderr, stdout } = context;
      try {
        let position = after === undefined ? await endOf(client, endpoint) : Number(after);
        stderr.write(`listening behind position ${position}, Ctrl-C ends\n`);
        for (;;) {
          const feed = await readFeed(client, endpoint, { after: position, wait: WAIT_SECONDS }, signal);
          for (const message of feed.items) {
            const outcome = await forward(message, key, forwardTo);
            const { type, message_id: id } = message;
            const line = wantsJson(command)
              ? JSON.stringify({ position: message.position, type, id, outcome })
              : `${type}  ${id}  ${outcome}`;
            stdout.write(`${line}\n`);
          }
          position = feed.next;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });

/** The signing key. @throws {UsageError} when this credential may not read it */
async function keyOf(client: Client, endpoint: string): Promise<string> {
  const { data } = await client.get<{ 200: { signing_key: string | null } }, unknown, true>({
    url: pathOf('notification_endpoints', endpoint),
    throwOnError: true,
  });
  if (data.signing_key !== null) return data.signing_key;
  throw new UsageError(
    'This credential may not read the signing key of the endpoint: only the credential that created it, or one with ' +
      'notifications:admin, may do so.',
  );
}

async function readFeed(client: Client, endpoint: string, query: object, signal?: AbortSignal): Promise<Feed> {
  const { data } = await client.get<{ 200: Feed }, unknown, true>({
    url: `${pathOf('notification_endpoints', endpoint)}/messages`,
    query: { ...query },
    signal,
    throwOnError: true,
  });
  return data;
}

/** The position behind all stored messages. */
async function endOf(client: Client, endpoint: string): Promise<number> {
  for (let after = 0; ; ) {
    const { next, has_more: hasMore } = await readFeed(client, endpoint, { after, per_page: 1_000 });
    if (!hasMore) return next;
    after = next;
  }
}

/** Sends one message with the headers that the service would send. @returns the status, or why there is none */
async function forward(
  { body, message_id: id, sequence, type }: FeedMessage,
  key: string,
  url: string,
): Promise<string> {
  const sentAt = new Date();
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-service-notify-type': type,
        'x-service-notify-sequence': String(sequence),
        [SIGNATURE_HEADER]: sign({ body, key, sentAt }),
        ...signStandardWebhook({ body, keys: [key], id, sentAt }),
      },
      signal: AbortSignal.timeout(FORWARD_MS),
      redirect: 'manual',
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
