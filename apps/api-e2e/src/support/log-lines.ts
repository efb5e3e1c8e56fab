import { expect } from '@jest/globals';

export type LogLine = Readonly<Record<string, unknown>>;

/** The lines about a request, of what is kept of the output of an app. */
export const linesOf = (output: string, requestId: string): readonly LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"request_id":${JSON.stringify(requestId)}`) && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);

/**
 * Exactly those lines, in their order. Who is killed at his work does not get to print it, and somebody does it again: then one may be
 * missing for each death, some may come twice, and an attempt more has a higher number; but nothing else is there.
 */
export function expectLines(found: readonly LogLine[], expected: readonly LogLine[], deaths: number): void {
  if (deaths === 0) return void expect(found).toMatchObject(expected);
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
  expect(missing.length).toBeLessThanOrEqual(deaths);
}
