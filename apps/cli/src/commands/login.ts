import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createClient } from '@ats/client';
import { type Command } from 'commander';
import { checkedToken, storeLogin } from '../config/login-file.js';
import { type Context } from '../context.js';
import { UsageError } from '../errors.js';

/** `ats login`: checks a token and stores it with the address of the service. */
export const addLogin = (program: Command, context: Context): Command =>
  program
    .command('login')
    .description('Store the address of a service and a token for the next calls')
    .option('--url <url>', 'the address, such as https://ats.example.com')
    .option('--token-stdin', 'read the token from the standard input, instead of asking for it')
    .action(async (options: { url?: string; tokenStdin?: boolean }) => {
      const { environment, stdin, stdout } = context;
      const url = options.url ?? environment.url;
      if (url === undefined) throw new UsageError('Give the address with --url, or set ATS_URL.');
      const token = checkedToken(
        options.tokenStdin ? await readAll(stdin) : (environment.token ?? (await ask(context))),
      );
      const { data } = await createClient({ baseUrl: url, token }).get<{ 200: { scopes?: string[] } }, unknown, true>({
        url: '/api/v1/me',
        throwOnError: true,
      });
      const file = storeLogin(environment, { url, token });
      stdout.write(`Logged in to ${url} with ${data.scopes?.length ?? 0} scopes. Stored in ${file}\n`);
    });

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Asks on the terminal, which does not show what is typed. */
async function ask({ stdin, stderr, signal }: Context): Promise<string> {
  if (!stdin.isTTY) throw new UsageError('Pass the token with --token-stdin, or set ATS_TOKEN.');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  stderr.write('Token: ');
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
