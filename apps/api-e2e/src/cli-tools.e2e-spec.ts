// @group long: packs the command line, and installs it into an empty folder
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { useInstalledCli } from './support/installed-cli.js';
import { MailServer } from './support/mail-server.js';

let mails: MailServer;
const setup = useInstalledCli(async () => {
  mails = await MailServer.start();
  return { SYSTEM_ENVIRONMENT: 'development', SMTP_URL: mails.url };
});
afterAll(() => mails.stop());
const { ats } = setup;

const setEnvironment = (environment: string) => setup.service.client.request('PATCH', '/systems/1', { environment });

interface Raised {
  readonly id: number;
  readonly type: string;
  readonly subject: Item | null;
}
async function trigger(type: string): Promise<Raised> {
  const { code, stdout, stderr } = await ats(['trigger', type, '--json']);
  expect({ type, code, stderr }).toEqual({ type, code: 0, stderr: '' });
  return JSON.parse(stdout) as Raised;
}

describe('ats trigger', () => {
  it.each(['production', 'staging'])('refuses a system whose environment is %s', async (environment) => {
    await setEnvironment(environment);
    const { code, stdout, stderr } = await ats(['trigger', 'CANDIDATE_CREATE']);
    await setEnvironment('development');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`its environment is "${environment}"`);
  });

  it('lists the event types that it can raise when it gets another one', async () => {
    const { code, stderr } = await ats(['trigger', 'DELIVERY_EXHAUSTED']);
    expect(code).toBe(2);
    expect(stderr).toContain('CANDIDATE_CREATE\n');
  });

  it('raises events of every type except the types that only time or a failure can raise', async () => {
    const all = (await setup.service.client.get<{ type: string }[]>('/event_types')).map(({ type }) => type);
    const never = [
      'CANDIDATE_ANONYMISATION_DUE',
      'COMMUNICATION_FAILED',
      'DELIVERY_EXHAUSTED',
      'SUBSCRIPTION_RECOVERED',
    ];
    for (const type of all.filter((one) => !never.includes(one))) expect(await trigger(type)).toMatchObject({ type });
    const { stderr } = await ats(['trigger', 'NOTHING']);
    expect(stderr.trim().split('\n').slice(1)).toEqual(all.filter((one) => !never.includes(one)).sort());
  });
});

describe('ats topics test', () => {
  const expression = 'candidate.firstname == "Sample"';

  it('shows which events match an expression, with the values that decide the result', async () => {
    const { id } = await setup.service.client.post('/notification_topics', {
      type: 'CANDIDATE_UPDATE',
      name: 'T',
      expression,
    });
    const event = await trigger('CANDIDATE_UPDATE');
    const { stdout } = await ats(['topics', 'test', String(id), '--limit', '1']);
    expect(stdout).toContain('matched     0 of 1 event');
    expect(stdout).toContain(`event ${event.id}`);
    expect(stdout).toContain('does not match\n  candidate.firstname is "Changed"\n');
    const changed = ['--type', 'CANDIDATE_UPDATE', '--expression', 'candidate.firstname == "Changed"'];
    const json = JSON.parse((await ats(['topics', 'test', ...changed, '--limit', '1', '--json'])).stdout) as object;
    expect(json).toMatchObject({
      type: 'CANDIDATE_UPDATE',
      evaluated: 1,
      matched: 1,
      events: [{ event_id: event.id }],
    });
  });

  it('explains step by step what happened to one event', async () => {
    const { id } = await setup.service.client.post('/notification_topics', {
      type: 'CANDIDATE_UPDATE',
      name: 'T',
      expression,
    });
    const event = await trigger('CANDIDATE_UPDATE');
    const { stdout } = await ats(['topics', 'test', String(id), '--event', String(event.id)]);
    expect(stdout).toMatch(/^event \d+: not notified\nyes {5}type: .+\nno {6}expression: .+\n {8}false: candidate/);
    expect(stdout).toContain('candidate.firstname is "Changed"');
    const { stdout: json } = await ats(['topics', 'test', String(id), '--event', String(event.id), '--json']);
    expect(JSON.parse(json)).toMatchObject({ event_id: event.id, notified: false });
  });

  it.each([[[]], [['1', '--type', 'FORM_CREATE']], [['--type', 'FORM_CREATE', '--event', '1']]])(
    'rejects the wrong options %j',
    async (args) => expect((await ats(['topics', 'test', ...args])).code).toBe(2),
  );

  it('shows the violations of an expression', async () => {
    const { code, stderr } = await ats(['topics', 'test', '--type', 'FORM_CREATE', '--expression', 'form.nme == "x"']);
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean "name"');
  });
});

describe('ats completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script with all commands for %s', async (shell) => {
    const { code, stdout } = await ats(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['topics', 'trigger', 'forward-to', 'mcp']) expect(stdout).toContain(word);
  });

  it('completes commands, options and values in bash', async () => {
    const { stdout: script } = await ats(['completion', 'bash']);
    const completed = (...words: readonly string[]): string =>
      execFileSync(
        'bash',
        [
          '--norc',
          '-c',
          `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ats; echo "\${COMPREPLY[*]}"`,
          '-',
          ...words,
        ],
        {
          encoding: 'utf8',
        },
      ).trim();
    expect(completed('ats', 'li')).toBe('listen');
    expect(completed('ats', 'topics', '')).toBe('test --help');
    expect(completed('ats', 'topics', 'test', '--ev')).toBe('--event');
    expect(completed('ats', 'get', 'ca')).toBe('candidates');
    expect(completed('ats', 'trigger', 'CANDIDATE_C')).toBe('CANDIDATE_CREATE');
    expect(completed('ats', 'completion', '')).toBe('bash zsh fish --json --help');
    expect(completed('ats', 'export', 'candidates', '--format', '')).toBe('ndjson csv');
    expect(completed('ats', 'listen', '--endpoint', '5', '--f')).toBe('--forward-to');
  });
});

describe('the package of ats', () => {
  it('loads the libraries of ats lsp and ats mcp only for these two commands', () => {
    const folder = join(setup.cli.folder, 'node_modules/@ats/cli/dist/bundle');
    const read = (file: string, known = new Set<string>()): Set<string> => {
      if (known.has(file)) return known;
      known.add(file);
      const text = readFileSync(join(folder, file), 'utf8');
      for (const [, next = ''] of text.matchAll(/(?:^|;)import\s*(?:\{[^}]*\}\s*from\s*)?"\.\/([^"]+)"/gm))
        read(next, known);
      return known;
    };
    const atStart = [...read('ats.mjs')].reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    const all = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(atStart).toBeGreaterThan(50_000);
    expect(atStart).toBeLessThan(200_000);
    expect(all).toBeLessThan(2_000_000);
  });

  it('prints its version without colours', async () => {
    expect((await ats(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const plain = await ats(['--help'], { NO_COLOR: '1' });
    expect(plain.stdout).not.toContain('\u001b');
    expect((await ats(['--help'], { FORCE_COLOR: '1' })).stdout).toBe(plain.stdout);
  });
});
