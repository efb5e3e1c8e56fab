// @ts-check
// `npm run audit:dependencies`: compares the packages of the running service with the known vulnerabilities of the
// registry. Fails for severe ones. Without an answer of the registry it prints `skipped, …` and succeeds.
import { spawnSync } from 'node:child_process';
import { judgeAudit } from './dependencies/audit.mjs';
import { root } from './workspace.mjs';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--package-lock-only', '--json'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 60_000,
});
const { ok, lines } = judgeAudit(stdout ?? '');
for (const line of lines) console.log(line);
process.exitCode = ok ? 0 : 1;
