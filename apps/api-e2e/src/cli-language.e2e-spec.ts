// @group long: packs the command line, and installs it into an empty folder
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { useInstalledCli } from './support/installed-cli.js';

const CORPUS = join(__dirname, '../../../libs/datapath/test');
interface Corpus {
  readonly completions: readonly { text: string; first?: string[]; all?: string[]; result?: string }[];
  readonly diagnostics: readonly { text: string; violations: readonly (readonly [string, string])[]; fixed?: string }[];
}
const corpus = JSON.parse(readFileSync(join(CORPUS, 'language-corpus.json'), 'utf8')) as Corpus;
const MODEL = join(CORPUS, 'language-model.json');

const setup = useInstalledCli();
const { ats } = setup;

const applied = (text: string, { offset, length, text: put }: { offset: number; length: number; text: string }) =>
  text.slice(0, offset) + put + text.slice(offset + length);

interface Checked {
  readonly file: string;
  readonly code: string;
  readonly offset: number;
  readonly length: number;
  readonly fixes: readonly { offset: number; length: number; text: string }[];
}

describe('ats check', () => {
  it('gives the expected result for each expression of the corpus', async () => {
    const files = corpus.diagnostics.map(({ text }, index) => {
      writeFileSync(join(setup.cli.folder, `${index}.expr`), text);
      return `${index}.expr`;
    });
    const { code, stdout } = await ats(['check', ...files, '--model', MODEL, '--json'], { ATS_URL: '', ATS_TOKEN: '' });
    expect(code).toBe(1);
    const found = JSON.parse(stdout) as readonly Checked[];
    for (const [index, { text, violations, fixed }] of corpus.diagnostics.entries()) {
      const own = found.filter(({ file }) => file === `${index}.expr`);
      expect(own.map(({ code: name, offset, length }) => [name, text.slice(offset, offset + length)])).toEqual(
        violations,
      );
      const [fix] = own[0]?.fixes ?? [];
      expect(fix && applied(text, fix)).toBe(fixed);
    }
  });

  it('knows the names of the service that the scopes of the credential allow', async () => {
    const text = 'application.user.birthday == NULL AND application.sorce == "x"';
    const all = await ats(['check', '-', '--root', 'application'], {}, text);
    expect(all).toMatchObject({ code: 1, stderr: '' });
    expect(all.stdout).toContain('did you mean "source"');
    const correct = 'application.user.language == "de"';
    expect((await ats(['check', '-'], {}, correct)).code).toBe(0);
    const narrow = { ATS_TOKEN: await setup.tokenWith('applications:read') };
    expect((await ats(['check', '-'], narrow, 'application.source == "x"')).code).toBe(0);
    expect((await ats(['check', '-'], narrow, 'application.user.email =~ "a"')).code).toBe(0);
    expect((await ats(['check', '-'], narrow, correct)).code).toBe(1);
    expect((await ats(['check', '-', '--root', 'vacancy'], narrow, correct)).code).toBe(2);
  });

  it('allows CHANGED and WAS for an event type whose events store former values', async () => {
    const text = 'CHANGED(application.rating) AND WAS(application.rating) < 3';
    const codeFor = async (type: string) => (await ats(['check', '-', '--event-type', type], {}, text)).code;
    expect(await codeFor('STATE_CHANGE_APPLICATION')).toBe(0);
    expect(await codeFor('APPLICATION_CREATE')).toBe(1);
    expect(await codeFor('NOTHING')).toBe(2);
  });

  it('reads the names of the service with fewer requests than the rate limit allows', async () => {
    const requests = (): number => setup.service.outputOf('api').split('"/api/v1/datapaths').length;
    const before = requests();
    expect(await ats(['model', 'counted.json'])).toMatchObject({ code: 0 });
    expect(requests() - before).toBeGreaterThan(0);
    expect(requests() - before).toBeLessThan(40);
  });

  it('works without a service when it gets the model from a file', async () => {
    expect(await ats(['model', 'model.json'])).toMatchObject({ code: 0 });
    const offline = { ATS_URL: '', ATS_TOKEN: '' };
    expect(
      (await ats(['check', '-', '--model', 'model.json'], offline, 'application.user.language == "de"')).code,
    ).toBe(0);
    expect((await ats(['check', '-', '--model', 'model.json'], offline, 'application.nothing == 1')).code).toBe(1);
    expect((await ats(['check', 'absent.expr', '--model', 'model.json'], offline)).code).toBe(2);
    expect((await ats(['check', '-', '--model', 'absent.json'], offline)).code).toBe(2);
  });
});

describe('ats lsp', () => {
  let editor: ProtocolConnection;
  let serial = 0;
  const diagnosed = new Map<string, (found: readonly Diagnostic[]) => void>();

  beforeAll(async () => {
    const child = setup.cli.start(['lsp', '--stdio', '--model', MODEL], { ATS_URL: '', ATS_TOKEN: '' });
    editor = createProtocolConnection(child.stdout, child.stdin);
    editor.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) =>
      diagnosed.get(uri)?.(diagnostics),
    );
    editor.listen();
    await editor.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    await editor.sendNotification('initialized', {});
  });
  afterAll(async () => {
    await editor.sendRequest('shutdown');
    await editor.sendNotification('exit');
    editor.dispose();
  });

  /** Opens a document of one line in the editor. Returns its diagnostics. */
  async function open(text: string): Promise<{ uri: string; diagnostics: readonly Diagnostic[] }> {
    const uri = `file:///${(serial += 1)}.expr`;
    const found = new Promise<readonly Diagnostic[]>((resolve) => diagnosed.set(uri, resolve));
    const textDocument = { uri, languageId: 'ats', version: 1, text };
    await editor.sendNotification('textDocument/didOpen', { textDocument });
    return { uri, diagnostics: await found };
  }
  const edited = (text: string, { range: { start, end }, newText }: TextEdit) =>
    text.slice(0, start.character) + newText + text.slice(end.character);

  it('gives the expected diagnostics and fixes for each expression of the corpus', async () => {
    for (const { text, violations, fixed } of corpus.diagnostics) {
      const { uri, diagnostics } = await open(text);
      const marked = ({ start, end }: Range) => text.slice(start.character, end.character);
      expect(diagnostics.map(({ code, range }) => [code, marked(range)])).toEqual(violations);
      const [first] = diagnostics;
      if (!first) continue;
      const params = { textDocument: { uri }, range: first.range, context: { diagnostics: [first] } };
      const actions: readonly CodeAction[] = await editor.sendRequest('textDocument/codeAction', params);
      const mine = actions.find((action) => action.diagnostics?.[0]?.code === first.code);
      const edit = mine?.edit?.changes?.[uri]?.[0];
      expect(edit && edited(text, edit)).toBe(fixed);
    }
  });

  it('gives the expected completions for each expression of the corpus', async () => {
    for (const { text, first, all, result } of corpus.completions) {
      const [source, character] = [text.replace('|', ''), text.indexOf('|')];
      const { uri } = await open(source);
      const params = { textDocument: { uri }, position: { line: 0, character } };
      const items: readonly CompletionItem[] = await editor.sendRequest('textDocument/completion', params);
      const labels = items.map(({ label }) => label);
      if (first) expect([text, labels.slice(0, first.length)]).toEqual([text, first]);
      if (all) expect([text, labels]).toEqual([text, all]);
      const edit = items[0]?.textEdit as TextEdit | undefined;
      if (result !== undefined) expect(edit && edited(source, edit)).toBe(result);
    }
  });

  it('explains, formats and renames the datapaths of an expression', async () => {
    const text = 'application.user.firstname=="x" and application.score>3';
    const { uri } = await open(text);
    const at = { textDocument: { uri }, position: { line: 0, character: 14 } };
    const hover: Hover = await editor.sendRequest('textDocument/hover', at);
    expect(hover.contents).toMatchObject({ value: expect.stringContaining('application.user: user') });
    const options = { tabSize: 2, insertSpaces: true };
    const edits: readonly TextEdit[] = await editor.sendRequest('textDocument/formatting', { ...at, options });
    expect(edits.map(({ newText }) => newText)).toEqual([
      'application.user.firstname == "x" AND application.score > 3',
    ]);
    const renamed: WorkspaceEdit = await editor.sendRequest('textDocument/rename', { ...at, newName: 'person' });
    const [edit] = renamed.changes?.[uri] ?? [];
    expect(edit && edited(text, edit)).toBe('application.person.firstname=="x" and application.score>3');
  });
});
