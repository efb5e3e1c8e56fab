import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { answered, folder } from '../test/run-command.js';

it('ats export writes to the file behind a symbolic link, and keeps the link', async () => {
  const [file, link] = [join(folder, 'real.ndjson'), join(folder, 'link.ndjson')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  expect(await answered(200, { id: 1 }, ['export', 'candidates', '--output', link])).toMatchObject({ code: 0 });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('{"id":1}');
});

it('ats export refuses a folder before it requests anything', async () => {
  const output = join(folder, 'exports');
  mkdirSync(output);
  const { code, stderr } = await answered(500, {}, ['export', 'candidates', '--output', output]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`--output: ${output} is a folder.`) });
});
