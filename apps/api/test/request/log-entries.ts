import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Api } from '../support/api-harness.js';

export const person = {
  firstname: 'Wilhelmina',
  lastname: 'Quartermaine',
  email: 'wilhelmina.quartermaine@example.com',
};
export const PERSONAL = [...Object.values(person), 'wilhelmina', 'quartermaine', '1815-12-10', 'Geheimstrasse'];

export type Entry = Readonly<Record<string, unknown>>;

/** Returns the lines that the API logs during `work`. */
export async function linesOf(api: Api, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = api.log.length;
  await work();
  return api.log.slice(before);
}

export const entriesOf = (lines: readonly string[]): readonly Entry[] => lines.map((line) => JSON.parse(line) as Entry);

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`the log did not get this entry in time: ${what}`);
    await sleep(10);
  }
}

export function expectNone(lines: readonly string[], secrets: readonly unknown[] = PERSONAL): void {
  for (const secret of secrets) expect(lines.filter((line) => line.includes(String(secret)))).toEqual([]);
}
