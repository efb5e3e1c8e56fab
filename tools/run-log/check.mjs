// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLeaks } from './find-leaks.mjs';

/** Jest calls this after the end-to-end tests. Throws when the output of a process has a secret or personal data. */
export default function check() {
  const folder = process.env['RUN_LOG_FOLDER'];
  if (!folder)
    throw new Error('RUN_LOG_FOLDER is not set, so the output of the end-to-end tests cannot be searched for secrets');
  const secretsFile = join(folder, 'secrets.jsonl');
  const secrets = new Set(
    existsSync(secretsFile)
      ? readFileSync(secretsFile, 'utf8')
          .trim()
          .split('\n')
          .map((line) => String(JSON.parse(line)))
      : [],
  );
  const logs = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const leaks = logs.flatMap(({ name, text }) =>
    findLeaks(text, secrets).map(({ secret, line }) => `${name} has ${secret} in\n  ${line.slice(0, 500)}`),
  );
  if (leaks.length > 0)
    throw new Error(`${leaks.length} secrets found in the logs of ${folder}:\n${leaks.slice(0, 10).join('\n')}`);
  const length = logs.reduce((sum, { text }) => sum + text.length, 0);
  if (length === 0 || secrets.size === 0)
    throw new Error(
      `the search for secrets needs output and secrets, found ${length} characters of ${logs.length} processes and ${secrets.size} secrets`,
    );
  console.log(`The output of ${logs.length} processes, ${length} characters, has none of ${secrets.size} secrets`);
}
