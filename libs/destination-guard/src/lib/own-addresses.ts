import { networkInterfaces } from 'node:os';

/** Time in ms for which the addresses are cached. Reading them takes longer than all other checks of an address. */
const KEPT_MS = 1_000;

/**
 * Returns a function that returns the addresses of the machine's network interfaces. They are at most a second old,
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
