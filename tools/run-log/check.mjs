// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLeaks } from './find-leaks.mjs';

/** After it: nothing that any process has printed has a secret in it, or anything about a person. CONTRACT.md 10. Called by Jest. */
export default function check() {
  const folder = process.env['RUN_LOG_FOLDER'];
  if (!folder) throw new Error('the run has kept no log');
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
    throw new Error(
      `what must not be in the log is in it ${leaks.length} times (all of it in ${folder}):\n${leaks.slice(0, 10).join('\n')}`,
    );
  const length = logs.reduce((sum, { text }) => sum + text.length, 0);
  if (length === 0 || secrets.size === 0)
    throw new Error(`nothing was looked at: ${length} characters of ${logs.length} processes, ${secrets.size} secrets`);
  console.log(`Log of ${logs.length} processes, ${length} characters: none of ${secrets.size} secrets is in it`);
}
