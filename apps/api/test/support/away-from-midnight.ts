const DAY_MS = 86_400_000;

/**
 * Resolves at once, or after the next midnight when the day ends soon, so that no day begins during a test that counts
 * days.
 * @param timeZone  an IANA name
 * @param marginMs  the time that the test takes at most
 */
export async function awayFromMidnight(timeZone: string, marginMs: number): Promise<void> {
  const [hours = 0, minutes = 0, seconds = 0] = new Date()
    .toLocaleTimeString('sv-SE', { timeZone, timeStyle: 'medium' })
    .split(':')
    .map(Number);
  const leftMs = DAY_MS - ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  if (leftMs < marginMs) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
