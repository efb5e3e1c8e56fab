const DAY_MS = 86_400_000;

/**
 * Makes sure that no new day begins during a test that counts days. Resolves at once, or after midnight when the day
 * ends soon.
 * @param timeZone  an IANA name
 * @param marginMs  the maximum duration of the test
 */
export async function awayFromMidnight(timeZone: string, marginMs: number): Promise<void> {
  const [hours = 0, minutes = 0, seconds = 0] = new Date()
    .toLocaleTimeString('sv-SE', { timeZone, timeStyle: 'medium' })
    .split(':')
    .map(Number);
  const leftMs = DAY_MS - ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  if (leftMs < marginMs) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
