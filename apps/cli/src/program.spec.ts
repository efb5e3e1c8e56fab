import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { answered, answeredInTurn, ats, folder } from '../test/run-command.js';

const MODEL = join(__dirname, '../../../libs/datapath/test/language-model.json');

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('ats check', () => {
  const check = (text: string) => ats(['check', fileOf('file.expr', text), '--model', MODEL]);

  it('puts the caret below the error, even if the line has control characters', async () => {
    const { code, stdout } = await check('\t"\u001b[31m\u202e" == application.nothing');
    const [, line = '', caret = ''] = stdout.split('\n');
    expect({ code, line }).toEqual({ code: 1, line: '   "\ufffd[31m\ufffd" == application.nothing' });
    expect(caret.indexOf('^')).toBe(line.indexOf('nothing'));
  });

  it('accepts a byte order mark at the beginning of a file', async () => {
    expect(await check('\ufeffapplication.score == 1')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reports names after the end of a datapath with a form item', async () => {
    expect((await check('application.formdata.21.x == 1')).stdout).toContain(
      'expected the end of the datapath after the form item and its instances',
    );
  });

  describe('with --event-type', () => {
    const eventTypes = [
      { type: 'STATE_CHANGE_APPLICATION', root: 'application' },
      { type: 'APPLICATION_UPDATE', root: 'application' },
      { type: 'APPLICATION_CREATE', root: 'application' },
      { type: 'POSTING_UPDATE', root: 'posting' },
    ];
    const run = (text: string, type: string, ...more: readonly string[]) => {
      const model = { ...(JSON.parse(readFileSync(MODEL, 'utf8')) as object), eventTypes };
      const files = [fileOf('file.expr', text), '--model', fileOf('typed.json', JSON.stringify(model))];
      return ats(['check', ...files, '--event-type', type, ...more]);
    };
    const past = 'CHANGED(application.score) AND WAS(application.score) < 3';

    it.each(['STATE_CHANGE_APPLICATION', 'APPLICATION_UPDATE'])('%s allows CHANGED and WAS', async (type) => {
      expect(await run(past, type)).toEqual({ code: 0, stdout: '', stderr: '' });
    });

    it('refuses CHANGED and WAS for a type whose events store no former values', async () => {
      expect((await run(past, 'APPLICATION_CREATE')).stdout).toContain('CHANGED is not available here');
    });

    it('allows only the root of the event type', async () => {
      expect((await run('application.score > 3', 'POSTING_UPDATE')).stdout).toContain('a datapath starts here with');
    });

    it('refuses an unknown type, and --root beside it', async () => {
      const unknown = await run(past, 'OTHER');
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('There are STATE_CHANGE_APPLICATION') });
      expect(await run(past, 'APPLICATION_CREATE', '--root', 'application')).toMatchObject({ code: 2 });
      const old = ['check', fileOf('file.expr', past), '--model', MODEL, '--event-type', 'APPLICATION_UPDATE'];
      expect(await ats(old)).toMatchObject({ code: 2, stderr: expect.stringContaining('Write the model again') });
    });
  });

  const entry = { path: 'application.id', type: 'integer', is_many: false, target: null, label: null };
  const whole = { ...entry, description: null, values: null, used_in: ['expressions'] };
  it.each([
    ['{}', '"roots"'],
    ['null', '"roots"'],
    ['{"roots":["application"]}', '"entries"'],
    ['{"roots":["application"],"entries":[null]}', '"path" of entry 0'],
    [JSON.stringify({ roots: ['application'], entries: [{ ...whole, target: undefined }] }), '"target" of entry 0'],
    [
      JSON.stringify({
        roots: ['application'],
        entries: [{ ...whole, path: 'application.formdata', target: 'application' }],
      }),
      'is not a file that `ats model` wrote',
    ],
  ])('refuses the model %s', async (model, text) => {
    const files = [fileOf('file.expr', 'application.id == 1'), '--model', fileOf('model.json', model)];
    const { code, stderr } = await ats(['check', ...files]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
  });
});

const noPages = { message: 'no', errors: [{ parameter: 'per_page', code: 'invalid', info: 'unknown parameter' }] };

describe('ats get', () => {
  it.each([
    ['me', { id: 7 }, 'id  7\n'],
    ['event_types', [{ type: 'A' }, { type: 'B' }], 'type\nA\n'],
  ])('shows %s, which has no pages', async (path, body, text) => {
    const { stdout, paths } = await answeredInTurn(
      [
        [400, noPages],
        [200, body],
      ],
      ['get', path, '--limit', '1'],
    );
    expect({ stdout, last: paths.at(-1) }).toEqual({ stdout: text, last: `/api/v1/${path}` });
  });

  it('suggests the name of a mistyped resource', async () => {
    const { code, stderr } = await answered(404, { message: 'gone', request_id: 'r' }, ['get', 'candidats']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'gone\n(status 404, request r)\nDid you mean candidates?\n',
    });
  });
});

it('ats logout deletes the stored login', async () => {
  await answered(200, { scopes: [] }, ['login']);
  expect((await ats(['logout'])).stdout).toBe(`Deleted ${join(folder, 'login.json')}\n`);
  expect(await ats(['get', 'candidates'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no login') });
  expect(await ats(['logout'])).toEqual({ code: 0, stdout: 'There is no stored login.\n', stderr: '' });
});

describe('a file that cannot be written', () => {
  const file = 'no-such-folder/file';

  it('ends ats export with exit code 2', async () => {
    const { code, stderr } = await answered(200, {}, ['export', 'candidates', '--output', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--output: ENOENT') });
  });

  it('ends the request of ats export', async () => {
    let closed: Promise<unknown> | undefined;
    const server = createServer((_, response) => {
      closed = once(response, 'close');
      const send = (): void => {
        while (response.write('x'.repeat(65_536)));
      };
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).on('drain', send);
      send();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await ats(['export', 'candidates', '--output', file], { url, token: 'x' })).code).toBe(2);
    await closed;
    server.close();
  });

  it('ends ats model with exit code 2', async () => {
    const { code, stderr } = await answered(200, [], ['model', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${file} cannot be written: ENOENT`) });
  });
});

describe('--json', () => {
  it.each([
    [['get', '--json'], `missing required argument 'resource'`],
    [['--json', 'frobnicate'], `unknown command 'frobnicate'`],
    [['get', 'candidates', '--limit', 'abc', '--json'], 'expected a whole number, at least 1.'],
    [['listen', '--json'], `required option '--forward-to <url>' not specified`],
    [['get', 'candidates', '--frob', '--json'], `unknown option '--frob'`],
    [['--json'], 'expected a command.'],
    [['topics', '--json'], ''],
  ])('prints the error of %j as JSON', async (args, text) => {
    const { code, stdout, stderr } = await ats(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: 'UsageError', message: expect.stringContaining(text) });
    expect(stderr).not.toContain('error: ');
  });

  it('does not change the help', async () => {
    expect(await ats(['get', '--help', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage/),
      stderr: '',
    });
  });
});

describe('ats help', () => {
  it('shows how to begin, and the exit codes', async () => {
    const { code, stdout, stderr } = await ats(['help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Begin with: ats login --url https://ats.example.com\n');
    expect(stdout).toMatch(/^ {2}3 {2}no connection$/m);
    expect((await ats(['--help'])).stdout).toBe(stdout);
    expect(await ats([])).toEqual({ code: 2, stdout: '', stderr: stdout });
  });

  it.each([
    [['get'], 'Usage: ats get|list [options] <resource> [id]\n'],
    [['list'], 'Usage: ats get|list [options] <resource> [id]\n'],
    [['topics'], 'Usage: ats topics [options] [command]\n'],
    [['topics', 'test'], 'Usage: ats topics test [options] [topic]\n'],
    [['get', 'candidates'], 'Usage: ats get|list [options] <resource> [id]\n'],
  ])('shows the help of %j', async (names, usage) => {
    const { code, stdout } = await ats(['help', ...names]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(usage) });
  });

  it.each([
    [['gett'], "error: unknown command 'gett'\n(Did you mean get?)\nSee `ats --help`.\n"],
    [['topics', 'tst'], "error: unknown command 'tst'\n(Did you mean test?)\nSee `ats topics --help`.\n"],
  ])('refuses the unknown command %j, and suggests one', async (names, stderr) => {
    expect(await ats(['help', ...names])).toEqual({ code: 2, stdout: '', stderr });
  });
});

it.each([
  [['gett'], "error: unknown command 'gett'\n(Did you mean get?)\nSee `ats --help`.\n"],
  [['get'], "error: missing required argument 'resource'\nSee `ats get --help`.\n"],
  [
    ['topics', 'test', '--limt', '5'],
    "error: unknown option '--limt'\n(Did you mean --limit?)\nSee `ats topics test --help`.\n",
  ],
])('the wrong arguments %j are refused with the name of the help', async (args, stderr) => {
  expect(await ats(args)).toEqual({ code: 2, stdout: '', stderr });
});

describe('a token that the service refuses', () => {
  const body = { message: 'The credentials are missing or invalid', request_id: 'r' };
  const refused = 'The credentials are missing or invalid\n(status 401, request r)\n';

  it('in ATS_TOKEN is named', async () => {
    expect(await answered(401, body, ['get', 'candidates'])).toMatchObject({
      code: 1,
      stderr: `${refused}The token in ATS_TOKEN is unknown, expired or revoked. Set another one.\n`,
    });
  });

  it('is told to programs by the status', async () => {
    const { code, stderr } = await answered(401, body, ['get', 'candidates', '--json']);
    expect({ code, error: JSON.parse(stderr) as unknown }).toEqual({ code: 1, error: { status: 401, ...body } });
  });
});

it('ats changes prints no token to continue from without a login', async () => {
  const { code, stderr } = await ats(['changes', '--since', 'now']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^There is no login\. .*\n$/) });
});

it('ats changes prints no token to continue from when the service refuses the value of --since', async () => {
  const errors = [{ parameter: 'since', code: 'invalid', info: 'expected a time' }];
  const { stderr } = await answered(400, { message: 'no', errors, request_id: 'r' }, ['changes', '--since', 'x']);
  expect(stderr).toBe('no\nsince: expected a time\n(status 400, request r)\n');
});

it('ats trigger suggests the type of a mistyped event', async () => {
  expect((await ats(['trigger', 'candidate_updte'])).stderr).toContain('Did you mean CANDIDATE_UPDATE?');
  expect((await ats(['trigger', 'nonsense'])).stderr).toContain('These types can be:\nAPPLICATION_CREATE\n');
});

describe('printed texts of the service', () => {
  it('cannot control the terminal when they are in an error', async () => {
    const { stderr } = await answered(400, { message: 'no\u001b[2J\u202e' }, ['get', 'candidates', '1']);
    expect(stderr).toMatch(/^no\ufffd\[2J\ufffd\n/);
  });

  it('cannot control the terminal or start a line when they are in a change', async () => {
    const items = [{ dt: '2026-11-28T10:00:00Z', change: 'created', url: 'x\u001b\ny' }];
    const { stdout } = await answered(200, { items, next: 't', has_more: false }, ['changes']);
    expect(stdout).toBe('2026-11-28T10:00:00Z  created     x\ufffd y\n');
  });
});
