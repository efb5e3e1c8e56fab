import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether nobody listens on the port at the moment. */
export const isFree = (port: number): Promise<boolean> => bind(port).then(() => true, () => false);

/** A port that nobody listens on at the moment. */
export const freePort = (): Promise<number> => bind(0);

async function bind(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
