import { destinationGuard } from '@ats/domain';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/workspace.mjs';

/**
 * The limit of delivery: the notifier cannot be faster than this process. It signs and posts the same bodies with the
 * notifier's client and concurrency to the same receiver, and stores nothing.
 */
const load = (file) => import(pathToFileURL(join(root, 'apps/notifier/dist', file)).href);
const { DestinationClient } = await load('delivery/http/destination-client.js');
const { messageHeaders } = await load('delivery/message-headers.js');

const key = 'f'.repeat(64);
const client = new DestinationClient(
  destinationGuard({ ALLOW_HTTP_DESTINATIONS: true, ALLOW_PRIVATE_DESTINATIONS: true }),
);

async function post({ url, body }, sequence) {
  const type = 'STATE_CHANGE_APPLICATION';
  const message = { messageId: JSON.parse(body).message_id, sequence, attempt: 1, type, body };
  const { error } = await client.post({
    url,
    headers: messageHeaders(message, { current: key, next: null }, { sentAt: new Date() }),
    body,
  });
  if (error) throw new Error(`the receiver failed: ${error}`);
}

process.on('message', async ({ messages, concurrency }) => {
  let next = 0;
  const startedAt = Date.now();
  const lane = async () => {
    while (next < messages.length) {
      const sequence = next++;
      await post(messages[sequence], sequence);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  process.send({ seconds: (Date.now() - startedAt) / 1_000 });
});
process.on('disconnect', () => process.exit(0));
