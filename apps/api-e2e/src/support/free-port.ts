import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether nobody listens on the port at the moment. */
export const isFree = (port: number): Promise<boolean> =>
  bind(port).then(
    () => true,
    () => false,
  );

/** Below those that systems give to connections by themselves: a port that one of them has just taken would not be free any more. */
const [LOWEST, HIGHEST] = [12_000, 30_000];

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  return (await isFree(port)) ? port : freePort();
}

async function bind(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
