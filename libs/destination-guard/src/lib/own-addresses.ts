import { networkInterfaces } from 'node:os';

/** Asking the system costs more than everything else that is checked about an address. */
const KEPT_MS = 1_000;

/** The addresses of the machine's interfaces: as of a second ago at most, since containers get some while they run. */
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
