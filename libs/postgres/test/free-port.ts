import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Resolves to true when no process listens on the port at the moment. */
export const isFree = (port: number): Promise<boolean> =>
  bind(port).then(
    () => true,
    () => false,
  );

/**
 * The range from which ports are chosen. It is below the ephemeral range, whose ports the system may give to
 * connections at any time.
 */
const [LOWEST, HIGHEST] = [12_000, 30_000];

/** Picks a random port on which no process listens at the moment. */
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
