import { describe, expect, it } from '@jest/globals';
import { type Socket } from 'node:net';
import { NO_CONTENT, SHORT_MS, useRawDestinations } from '../../../test/raw-destinations.js';

const destinations = useRawDestinations();

describe('a connection that was kept open', () => {
  /**
   * Starts a destination that records each request. `nth` is the position of the request in its connection; the first
   * is 1.
   */
  const listenCounting = (
    onRequest: (socket: Socket, nth: number) => void,
  ): Promise<{ readonly port: number; readonly requests: Socket[] }> => {
    const requests: Socket[] = [];
    return destinations
      .listen((socket) => {
        requests.push(socket);
        onRequest(socket, requests.filter((one) => one === socket).length);
      })
      .then((port) => ({ port, requests }));
  };

  it.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => void socket.end()],
    ['reset', (socket) => void socket.resetAndDestroy()],
  ])('is replaced within the same attempt when it is %s just as it is used again', async (_, close) => {
    const { port, requests } = await listenCounting((socket, nth) =>
      nth === 1 ? socket.write(NO_CONTENT) : close(socket),
    );
    const client = destinations.createClient();
    for (let count = 0; count < 3; count++)
      expect(await destinations.post(port, client)).toMatchObject({ error: null });
    const [first, second, third] = requests;
    expect([requests.length > 3, first === second, second === third]).toEqual([true, true, false]);
  });

  it('is replaced only once', async () => {
    let isOpen = true;
    const { port, requests } = await listenCounting((socket) => (isOpen ? socket.write(NO_CONTENT) : socket.destroy()));
    const client = destinations.createClient();
    await destinations.post(port, client);
    isOpen = false;
    expect(await destinations.post(port, client)).toMatchObject({ error: 'connection_lost' });
    expect(requests).toHaveLength(3);
  });

  it('is replaced by a new connection, not by another one that was kept open', async () => {
    let isOpen = true;
    const { port, requests } = await listenCounting((socket) =>
      isOpen ? setTimeout(() => socket.write(NO_CONTENT), 20) : socket.destroy(),
    );
    const client = destinations.createClient();
    await Promise.all([
      destinations.post(port, client),
      destinations.post(port, client),
      destinations.post(port, client),
    ]);
    isOpen = false;
    expect(await destinations.post(port, client)).toMatchObject({ error: 'connection_lost' });
    expect(requests).toHaveLength(3 + 2);
  });

  it('is not replaced after the destination sent a byte of the answer', async () => {
    const { port, requests } = await listenCounting((socket, nth) =>
      nth === 1 ? socket.write(NO_CONTENT) : socket.end('HTTP/1.1 2'),
    );
    const client = destinations.createClient();
    await destinations.post(port, client);
    expect(await destinations.post(port, client)).toMatchObject({
      error: expect.stringMatching(/^(connection_lost|bad_response)$/),
    });
    expect(requests).toHaveLength(2);
  });

  it('is not used again when a body was not read completely', async () => {
    const { port, requests } = await listenCounting((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    );
    const client = destinations.createClient({ limits: { bodyTimeoutMs: SHORT_MS } });
    for (let count = 0; count < 2; count++)
      expect(await destinations.post(port, client)).toMatchObject({ error: null });
    expect(new Set(requests).size).toBe(2);
  });
});
