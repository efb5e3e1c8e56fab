import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ats } from '../test/run-command.js';
import { EVENT_TYPES, FOLLOWED_RESOURCES, ROOTS } from './known-values.js';

const GENERATED = readFileSync(join(__dirname, '../../../libs/client/src/generated/types.gen.ts'), 'utf8');

/** Returns the values of the union type that follows the pattern in the generated client. */
function unionAfter(pattern: string): readonly string[] {
  const [, union = ''] = new RegExp(`${pattern}((?:'\\w+'(?: \\| )?)+);`, 's').exec(GENERATED) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, value = '']) => value).sort();
}

test.each([
  ['event types', EVENT_TYPES, 'export type NotificationTopicsType = '],
  ['followed resources', FOLLOWED_RESOURCES, 'export type Changes = \\{.*?resource: '],
  ['roots', ROOTS, 'export type DatapathRoot = '],
])('the %s for shell completion equal those of the generated client', (_, values, pattern) => {
  expect(values.length).toBeGreaterThan(20);
  expect(values).toEqual(unionAfter(pattern));
});

test.each([
  ['topics test', '--type', EVENT_TYPES],
  ['check', '--event-type', EVENT_TYPES],
  ['check', '--root', ROOTS],
  ['changes', '--resources', FOLLOWED_RESOURCES],
])('shells complete values of ats %s %s', async (command, option, values) => {
  const { stdout } = await ats(['completion', 'bash']);
  expect(stdout).toContain(`'${command} ${option}') words='${values.join(' ')}' ;;`);
});
