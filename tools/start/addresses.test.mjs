// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { addressText } from './addresses.mjs';

/**
 * Returns the variables after a shell has read the file.
 * @param {import('./addresses.mjs').Addresses} addresses @param {Record<string, string>} [env]
 */
function variables(addresses, env = {}) {
  const script = `${addressText(addresses)}
    printf '%s\\n' "$BASE" "$ATS" "$TOKEN" "$MAILBOX" "$DATABASE_SERVER"`;
  const [base, ats, token, mailbox, server] = execFileSync('sh', ['-euc', script], { encoding: 'utf8', env }).split(
    '\n',
  );
  return { base, ats, token, mailbox, server };
}

test('a shell reads the addresses and the token of the service', () => {
  const addresses = {
    base: 'http://localhost:3010',
    token: `ats_k_it's $HOME`,
    mailbox: 'http://localhost:41001',
    databaseUrl: 'postgresql://ats:p-w@127.0.0.1:5433/ats',
  };
  assert.deepEqual(variables(addresses), {
    base: 'http://localhost:3010',
    ats: 'http://localhost:3010/api/v1',
    token: `ats_k_it's $HOME`,
    mailbox: 'http://localhost:41001',
    server: 'postgresql://ats:p-w@127.0.0.1:5433',
  });
});

test('the file names the variable of a token that the user has given, and does not contain it', () => {
  const { token, mailbox, server } = variables({ base: 'http://localhost:3000' }, { BOOTSTRAP_TOKEN: 'ats_given' });
  assert.deepEqual({ token, mailbox, server }, { token: 'ats_given', mailbox: '', server: '' });
});
