import { networkInterfaces } from 'node:os';

/** Time for which the addresses are cached, because reading them takes longer than all other checks of an address. */
const KEPT_MS = 1_000;

/**
 * Returns a function that reads the addresses of the machine's network interfaces. Its result is at most a second old,
 * because a container can get addresses while it runs.
 */
export function createOwnAddresses(): () => readonly string[] {
  let readAt = -Infinity;
  let addresses: readonly string[] = [];
  return () => {
    const now = performance.now();
    if (now - readAt >= KEPT_MS) {
      readAt = now;
      addresses = Object.values(networkInterfaces()).flatMap((entries) =>
        (entries ?? []).map(({ address }) => address),
      );
    }
    return addresses;
  };
}
