// @group long: runs each command of the guides as a process
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase, freePort, type TestDatabase } from '@ats/domain/testing';
import { ROOT, run } from './support/app.js';
import { type Block, blocksOf, runCommands, typingFaults, writeAddresses } from './support/guide.js';
import { MailServer } from './support/mail-server.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

/** Guides that are tested in other files, because their tests start more than a shell. */
const ELSEWHERE = ['command-line.md', 'webhooks.md'];
/** Guides without commands, because their readers use a browser. */
const WITHOUT_COMMANDS = ['console.md'];

let service: Service;
let mailServer: MailServer;
let copyDatabase: TestDatabase;
/** A folder that has the files which the commands use, as a clone of the repository has them. */
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'examples/copy'), join(folder, 'examples/copy'), { recursive: true });
  [mailServer, copyDatabase] = await Promise.all([MailServer.start(), createTestDatabase()]);
  service = await Service.start({ DOCUMENTS_FOLDER: join(folder, 'documents'), SMTP_URL: mailServer.url }, SINGLE);
  await run('tools/seed.mjs', { PATH: process.env['PATH'] ?? '', DATABASE_URL: service.databaseUrl });
  writeAddresses(folder, service.client);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mailServer.stop(), copyDatabase.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the shell commands of a page in their order against the service of this test. */
function read(
  page: string,
  options: {
    readonly adapt?: (code: string) => string;
    readonly isRead?: (block: Block) => boolean;
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
  } = {},
): Promise<string> {
  const { adapt = (code) => code, isRead = () => true, env = {}, cwd = folder } = options;
  const commands = blocksOf(page, 'sh')
    .filter(isRead)
    .map(({ code }) => adapt(code));
  return runCommands(commands, { cwd, env });
}

/** Starts `npm run receiver` on a port. */
function startReceiver(port: number): { readonly output: string; stop(): void } {
  const child = spawn(process.execPath, [join(ROOT, 'tools/receiver.mjs'), '--port', String(port)]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    get output() {
      return output;
    },
    stop: () => void child.kill(),
  };
}

const guide = (name: string): string => `docs/guides/${name}`;
/** Returns the number of answers in the output that refused a request. */
const refusals = (output: string): number => output.match(/\{"message":"/g)?.length ?? 0;

it('every guide has a test', () => {
  const tested = [...GUIDES.map(({ name }) => name), 'accounts.md', 'first-notification.md', 'keeping-a-copy.md'];
  expect([...tested, ...ELSEWHERE, ...WITHOUT_COMMANDS].sort()).toEqual(readdirSync(join(ROOT, 'docs/guides')).sort());
  for (const name of WITHOUT_COMMANDS) expect(blocksOf(guide(name), 'sh')).toEqual([]);
});

describe('the commands of the guides', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs/guides')).map(guide)];
  it.each(pages)('can be typed into bash and zsh: %s', (page) => {
    expect(blocksOf(page, 'sh').flatMap(({ code }) => typingFaults(code))).toEqual([]);
  });

  it.each([
    ['PATH=bin:$PATH # of the clone', 'a comment, which zsh runs as a command'],
    ['# a comment\nls', 'a comment, which zsh runs as a command'],
    ['call "$ATS/events?sort=id!desc"', 'a `!` between double quotes, which the shell replaces by an old command'],
    ['call \'{ "a": 1 }\' "a=$(b \'c!d\')"', 'a `!` between double quotes, which the shell replaces by an old command'],
    ['field .items[0].id', 'an index without quotes, which zsh takes for a pattern of file names'],
  ])('are checked for typing, and the check refuses %j', (code, fault) => {
    expect(typingFaults(code)).toEqual([expect.stringContaining(fault)]);
  });

  it('use the same helpers in every guide', () => {
    const codes = pages.flatMap((page) => blocksOf(page, 'sh').map(({ code }) => code));
    const lines = (start: string): Set<string> =>
      new Set(codes.flatMap((code) => code.split('\n').filter((line) => line.startsWith(start))));
    for (const start of ['PATH=', '. .data/', 'call()', 'field()']) expect([start, ...lines(start)]).toHaveLength(2);
  });

  it('have no line that is wider than 120 characters', () => {
    const codes = pages.flatMap((page) => ['sh', 'js'].flatMap((language) => blocksOf(page, language)));
    const wide = codes.flatMap(({ code }) => code.split('\n').filter((line) => line.length > 120));
    expect(wide).toEqual([]);
  });
});

/**
 * The guides, with texts that the commands of each guide print. `refused` is the number of requests that the service
 * refuses in the guide on purpose.
 */
const GUIDES: readonly {
  readonly name: string;
  readonly prints: readonly (string | RegExp)[];
  readonly refused?: number;
}[] = [
  { name: 'documents.md', prints: ['"media_type":"application/pdf"', '"kind":"cover_letter"'] },
  { name: 'expressions.md', prints: ['refused, as expected', /^\d+ found$/m, '"matched":1'], refused: 1 },
  { name: 'forms-and-applying.md', prints: [], refused: 3 },
  { name: 'oauth.md', prints: ['"token_endpoint":'] },
  { name: 'public-board.md', prints: ['"json_ld":', /\{"status":"received"\}\n\[.*"lastname":"Lovelace"/] },
  { name: 'reports.md', prints: [/^id,uuid,url,/m, /^id,Candidate,Vacancy,State\r?$/m, '"count":'] },
  { name: 'scoring.md', prints: [/^3.5$/m, '{"scored":1,"changed":0,"next_after_id":null}'] },
  { name: 'templates-and-messages.md', prints: ['"status":"queued"'], refused: 1 },
];

describe('the commands of a guide run as written', () => {
  it.each(GUIDES)('of $name', async ({ name, prints, refused = 0 }) => {
    const output = await read(guide(name));
    for (const text of prints) expect(output).toMatch(text);
    expect({ refused: refusals(output), output }).toMatchObject({ refused });
  });

  it('of accounts.md', async () => {
    // Pauses the shell where the reader of the guide looks into the mailbox.
    const adapt = (code: string): string => {
      const [wait, read] = ['until [ -s ', ' ]; do sleep 0.1; done\n'];
      if (code.includes('resend_activation')) return `${wait}first.txt${read}${code}`;
      return code.includes('$LINK_TOKEN') ? `${wait}second.txt${read}LINK_TOKEN=$(cat second.txt)\n${code}` : code;
    };
    const links = (): readonly string[] =>
      mailServer.mails.flatMap(({ mail }) => /[?&]token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? []);
    const output = read(guide('accounts.md'), { adapt });
    const copy = async (): Promise<void> => {
      for (const [index, file] of ['first.txt', 'second.txt'].entries()) {
        await waitUntil(`e-mail ${index + 1} with a link`, 100_000, () => links().length > index);
        writeFileSync(join(folder, file), links()[index] ?? '');
      }
    };
    await Promise.all([output, copy()]);
    expect(await output).toMatch(/"status":"pending_activation"[\s\S]*"status":"active"/);
    expect(refusals(await output)).toBe(0);
    expect(new Set(links()).size).toBe(2);
  });

  it('of first-notification.md, from an empty folder to a verified notification within five minutes', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'first-'));
    try {
      for (const { code } of blocksOf(guide('first-notification.md'), 'js'))
        writeFileSync(join(empty, 'first.mjs'), code);
      const begin = Date.now();
      const output = await read(guide('first-notification.md'), {
        cwd: ROOT,
        adapt: (code) => code.replace('$(mktemp -d)', empty).replace('.data/', `${folder}/.data/`),
      });
      expect(output).toMatch(/^verified CANDIDATE_CREATE of candidate \d+$/m);
      expect(Date.now() - begin).toBeLessThan(300_000);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });

  it('of keeping-a-copy.md', async () => {
    // Replaces `follow`, which never ends, by `catch-up`. It does the same until there are no more changes.
    const adapt = (code: string): string => code.replace('copy.mjs follow', 'copy.mjs catch-up');
    const env = { COPY_DATABASE_URL: copyDatabase.url };
    expect(await read(guide('keeping-a-copy.md'), { adapt, env })).toContain('the copy is identical');
  });

  it('of the tour in README.md', async () => {
    const port = await freePort();
    const receiver = startReceiver(port);
    try {
      const output = await read('README.md', {
        isRead: ({ before }) => before.includes('**3. Call the API**') && !before.includes('**9. Clean up'),
        adapt: (code) => code.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`),
      });
      expect(refusals(output)).toBe(0);
      expect(output).toContain('"layout_data":[{"value":"Robin Example"}');
      const KEY = /signing key (\w+)/.exec(output)?.[1] ?? '';
      await waitUntil('the receiver prints the message', 60_000, () => receiver.output.includes('by hand'));
      const [, byHand = ''] = /^ *by hand +(.*)$/m.exec(receiver.output) ?? [];
      const [, signature = ''] = /= (\w{64})$/m.exec(await runCommands([byHand], { cwd: folder, env: { KEY } })) ?? [];
      expect(receiver.output).toContain(`,${signature}`);
      const TOPIC = /^topic (\d+)/m.exec(output)?.[1] ?? '';
      const isRead = ({ code }: Block): boolean => code.includes('call()') || code.includes('-X DELETE');
      await read('README.md', { isRead, env: { TOPIC } });
      await expect(service.client.get(`/notification_topics/${TOPIC}`)).rejects.toThrow('404');
    } finally {
      receiver.stop();
    }
  });
});
