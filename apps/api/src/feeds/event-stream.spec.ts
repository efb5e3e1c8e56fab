import { expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { type FastifyReply } from 'fastify';
import { sendEventStream, type StreamPart } from './event-stream.js';

/**
 * Sends the parts to a client that reads either everything at once or nothing. @returns the text that the client gets,
 * and how the stream ends
 * @returns what the client gets, and how the stream ends
 */
async function sent(
  parts: AsyncGenerator<StreamPart>,
  isReading = true,
): Promise<{ text: string; steps: readonly string[] }> {
  let text = '';
  const steps: string[] = [];
  const raw = Object.assign(new EventEmitter(), {
    writableNeedDrain: !isReading,
    writeHead: (status: number) => void steps.push(String(status)),
    write: (part: string) => {
      text += part;
      return isReading;
    },
    end: () => void steps.push('end'),
    destroy: () => void steps.push('destroy'),
  });
  const reply = {
    getHeaders: () => ({}),
    hijack: () => void steps.push('hijack'),
    raw,
    log: { debug: () => undefined },
  } as unknown as FastifyReply;
  const client = { gone: new AbortController().signal, release: () => void steps.push('release') };
  await sendEventStream(reply, parts, client, isReading ? 60_000 : 1);
  return { text, steps };
}

async function* parts(...given: readonly (StreamPart | Error)[]): AsyncGenerator<StreamPart> {
  await Promise.resolve();
  for (const part of given) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

const event = { id: '7', event: 'change', data: '{"id":1}' };

test('a stream without new events sends its position, or a comment when it has none', async () => {
  const { text, steps } = await sent(parts({ events: [event], id: '8' }, { events: [], id: '9' }, { events: [] }));
  expect(text).toBe('id: 7\nevent: change\ndata: {"id":1}\n\nid: 9\n\n: heartbeat\n\n');
  expect(steps).toEqual(['hijack', 'release', '200', 'end']);
});

test('an error before the first part is thrown, and a later error ends the stream', async () => {
  await expect(sent(parts(new Error('the token is too old')))).rejects.toThrow('the token is too old');
  const { text, steps } = await sent(parts({ events: [event] }, new Error('the credential was revoked')));
  expect(text).toContain('id: 7\n');
  expect(steps.at(-1)).toBe('end');
});

test('the connection of a client that reads nothing is closed', async () => {
  const { text, steps } = await sent(parts({ events: [event] }, { events: [], id: '9' }), false);
  expect(text).not.toContain('id: 9');
  expect(steps.at(-1)).toBe('destroy');
});
