import { expect } from '@jest/globals';

export type LogLine = Readonly<Record<string, unknown>>;

/** Finds the log lines about a request in the output of an app. */
export const linesOf = (output: string, requestId: string): readonly LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"request_id":${JSON.stringify(requestId)}`) && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);

/**
 * Expects exactly these lines in this order when no process was killed. A killed process may not log its last step, and
 * another process repeats the step. For each kill, one line may therefore be missing, lines may be repeated, and the
 * attempt number may be higher. No other line may appear.
 */
export function expectLines(found: readonly LogLine[], expected: readonly LogLine[], kills: number): void {
  if (kills === 0) return void expect(found).toMatchObject(expected);
  const known = expected.map(({ attempt, ...line }) =>
    expect.objectContaining({
      ...line,
      ...(attempt !== undefined && { attempt: expect.any(Number) as unknown as number }),
    }),
  );
  for (const line of found) expect(known).toContainEqual(line);
  const missing = known.filter(
    (line) =>
      !found.some((one) => (line as unknown as { asymmetricMatch(other: unknown): boolean }).asymmetricMatch(one)),
  );
  expect(missing.length).toBeLessThanOrEqual(kills);
}
