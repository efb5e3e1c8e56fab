import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ApiError, type Client } from '@ats/client';
import { type Command } from 'commander';
import { checkedToken, checkedUrl, deleteLogin, storeLogin } from '../config/login-file.js';
import { clientOf, type Context, readAll } from '../context.js';
import { EXIT, Interruption, UsageError } from '../errors.js';

/** Adds `ats login`. It checks a token and stores it with the address of the service. */
export const addLogin = (program: Command, context: Context): Command =>
  program
    .command('login')
    .description('Store the address of a service and a token for the next calls')
    .option('--url <url>', 'the address, such as https://ats.example.com')
    .option('--token-stdin', 'read the token from the standard input, instead of asking for it')
    .action(async (options: { url?: string; tokenStdin?: boolean }) => {
      const { environment, stdout } = context;
      const given = options.url ?? environment.url;
      if (given === undefined) throw new UsageError('Give the address with --url, or set ATS_URL.');
      const url = checkedUrl(given);
      const token = checkedToken(
        options.tokenStdin ? await readAll(context) : (environment.token ?? (await ask(context))),
      );
      const scopes = await readScopes(clientOf({ url, token }, context));
      if (scopes === undefined)
        throw new UsageError(`The server at ${url} is not an applicant tracking service. Check the address.`);
      const file = storeLogin(environment, { url, token });
      stdout.write(`Logged in to ${url} with the scopes ${scopes.join(', ')}. Stored in ${file}\n`);
    });

/** Adds `ats logout`. It deletes the stored login. The credential stays valid. */
export const addLogout = (program: Command, { environment, stdout }: Context): Command =>
  program
    .command('logout')
    .description('Delete the stored login. The credential stays valid until someone revokes it')
    .action(() => {
      const file = deleteLogin(environment);
      stdout.write(file === undefined ? 'There is no stored login.\n' : `Deleted ${file}\n`);
    });

/** Reads the scopes of the credential. Returns undefined when another kind of server answers. */
async function readScopes(client: Client): Promise<readonly string[] | undefined> {
  try {
    const url = '/api/v1/me';
    const { data } = await client.get<{ 200: { scopes?: readonly string[] } }, unknown, true>({
      url,
      throwOnError: true,
    });
    return data.scopes;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Asks for a token on the terminal. The terminal does not show what the user types. */
async function ask({ stdin, stderr, signal }: Context): Promise<string> {
  if (!stdin.isTTY) throw new UsageError('Pass the token with --token-stdin, or set ATS_TOKEN.');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  stderr.write('Token: ');
  // While `lines` waits for the token, Ctrl-C and Ctrl-D send no signal. `lines` reads them as input of the terminal.
  const given = new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interruption(EXIT.interrupted)));
    lines.once('close', () => reject(new UsageError('The standard input has no token. Write the token to it.')));
    lines.question('', { signal }).then(resolve, reject);
  });
  try {
    return await given;
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
