// @ts-check
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { guardPid } from '../services/guard.mjs';
import { freePort, isFree } from '../services/ports.mjs';
import { dataDir, PlainError } from '../workspace.mjs';
import { writeAddresses } from './addresses.mjs';
import { prepare, startApps } from './apps.mjs';
import { takeLock } from './lock.mjs';
import { startMailbox } from './mailbox.mjs';
import { logs, say } from './say.mjs';
import { startServers } from './servers.mjs';
import { readSettings } from './settings.mjs';
import { Stack } from './stack.mjs';

/** `npm start`: runs the whole service on this machine until Ctrl-C. */
export async function start() {
  const lock = await takeLock();
  /** @type {import('./mailbox.mjs').Mailbox | undefined} */
  let mailbox;
  try {
    await checkPorts();
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const stack = new Stack((children) => lock.write({ children, guard: guardPid(), url: baseUrl() }));
    // When SMTP_URL names a mail server, that server gets the e-mails. Otherwise no e-mail leaves this machine.
    mailbox = process.env.SMTP_URL ? undefined : await startMailbox({ dir: join(dataDir, 'mails'), pagePort: 3002 });
    process.exitCode = await stack.run(async () => {
      const env = appEnvironment({ ...(await startServers(stack)), ...(mailbox && { SMTP_URL: mailbox.smtpUrl }) });
      await prepare(stack, env);
      const apps = await startApps(stack, env);
      await printReady(env, mailbox?.url);
      for (const { log } of apps) log.isQuiet = false;
    });
  } finally {
    await mailbox?.stop();
    lock.release();
  }
}

const ports = () => ({ PORT: process.env.PORT || '3000', NOTIFIER_PORT: process.env.NOTIFIER_PORT || '3001' });
const baseUrl = () => process.env.PUBLIC_BASE_URL || `http://localhost:${ports().PORT}`;

/** Reports taken ports before anything is started. */
async function checkPorts() {
  const taken = [];
  for (const [name, value] of Object.entries(ports())) {
    const port = Number(value);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new PlainError(`${name} must be a port number from 1 to 65535.`);
    if (!(await isFree(port))) taken.push({ port, choice: `${name}=${await freePort(port + 10)}` });
  }
  if (ports().PORT === ports().NOTIFIER_PORT) throw new PlainError('PORT and NOTIFIER_PORT must differ.');
  if (taken.length === 0) return;
  const which = taken.map(({ port }) => port).join(' and ');
  throw new PlainError(
    `${taken.length === 1 ? `Port ${which} is` : `Ports ${which} are`} taken. ` +
      `Choose another: ${taken.map(({ choice }) => choice).join(' ')} npm start`,
  );
}

/**
 * Returns the environment of the apps. Variables of the user's shell come before the defaults.
 * @param {{ DATABASE_URL: string, API_DATABASE_URL?: string, REDIS_URL: string, SMTP_URL?: string }} servers
 */
function appEnvironment(servers) {
  const settings = readSettings();
  const defaults = {
    ...ports(),
    PUBLIC_BASE_URL: baseUrl(),
    SECRET_KEY: settings.secretKey,
    BOOTSTRAP_TOKEN: settings.bootstrapToken,
    ALLOW_HTTP_DESTINATIONS: 'true',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    LOG_LEVEL: 'info',
  };
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value));
  return { ...defaults, ...given, ...servers };
}

/**
 * Prints the addresses and the token once the service is ready, and writes them for the commands of the guides.
 * @param {NodeJS.ProcessEnv} env @param {string} [mailboxUrl]
 */
async function printReady(env, mailboxUrl) {
  const base = `http://localhost:${env.PORT}`;
  const hasDocs = await fetch(`http://127.0.0.1:${env.PORT}/docs`).then(
    ({ ok }) => ok,
    () => false,
  );
  // A token of the environment may be a real secret, so it is neither printed nor stored.
  const isGiven = Boolean(process.env.BOOTSTRAP_TOKEN);
  writeAddresses({
    base,
    ...(!isGiven && { token: env.BOOTSTRAP_TOKEN }),
    ...(mailboxUrl && { mailbox: mailboxUrl }),
    ...(!process.env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
  });
  say(`
Ready at ${base}

  token   ${isGiven ? 'the one in BOOTSTRAP_TOKEN' : env.BOOTSTRAP_TOKEN}
  try     curl -H "Authorization: Bearer ${isGiven ? '$BOOTSTRAP_TOKEN' : env.BOOTSTRAP_TOKEN}" "${base}/api/v1/applications?per_page=1"
  shell   the commands of the guides read these addresses: . .data/start.env
  look    ${base}/console shows the data and the webhooks; sign in with the token
  read    ${hasDocs ? `${base}/docs has guides, reference and search` : 'the five-minute tour in README.md'}
${mailboxUrl ? `  mail    ${mailboxUrl} shows the e-mails; none leaves this machine\n` : ''}  stop    Ctrl-C; the data is kept for the next start (logs and secrets are in .data)
`);
}
