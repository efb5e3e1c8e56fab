import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createLanguageService, type LanguageService, loadCatalogueModel } from '@ats/datapath';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  createProtocolConnection,
  type Diagnostic,
  ErrorCodes,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { check } from './check.js';
import { SYNTAX } from './form-data.js';
import { serveEditor } from './server.js';
import { storedModel } from './stored-model.js';

const MODEL = join(__dirname, '../../../../libs/datapath/test/language-model.json');

async function load(...labels: readonly string[]): Promise<LanguageService> {
  const { roots, entries } = storedModel(JSON.parse(readFileSync(MODEL, 'utf8')));
  const [label = null] = labels;
  const list = (prefix: string) =>
    Promise.resolve(entries.filter(({ path }) => path.startsWith(prefix)).map((entry) => ({ ...entry, label })));
  return createLanguageService(await loadCatalogueModel(list, roots, 'expressions', SYNTAX), roots);
}

let editor: ProtocolConnection;
let language: () => Promise<LanguageService>;
beforeEach(async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = load();
  language = () => service;
  void serveEditor(() => language(), input, output);
  editor = createProtocolConnection(output, input);
  editor.listen();
  await editor.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
});
afterEach(() => editor.dispose());

async function open(text: string, character: number) {
  const uri = 'file:///1.expr';
  await editor.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'ats', version: 1, text },
  });
  return { textDocument: { uri }, position: { line: 0, character } };
}

test('the language server can rename a form value with its instances', async () => {
  const text = 'application.formdata.21:2 == "x"';
  const at = await open(text, 22);
  const { changes }: WorkspaceEdit = await editor.sendRequest('textDocument/rename', { ...at, newName: '22' });
  const [edit] = changes?.[at.textDocument.uri] ?? [];
  expect(edit).toMatchObject({ newText: expect.stringContaining('22'), range: { end: { character: 25 } } });
});

test.each(['not a name!', '', 'application.', 'score > 1 OR application.id'])(
  'the language server refuses the new name %j',
  async (newName) => {
    const at = await open('application.score > 3', 14);
    const renaming = editor.sendRequest('textDocument/rename', { ...at, newName });
    await expect(renaming).rejects.toMatchObject({
      code: ErrorCodes.InvalidParams,
      message: expect.stringMatching(/empty|is no datapath/),
    });
  },
);

test('a diagnostic ends with its message when it has no hint', async () => {
  const shown = new Promise<readonly Diagnostic[]>((resolve) =>
    editor.onNotification('textDocument/publishDiagnostics', ({ diagnostics }: PublishDiagnosticsParams) =>
      resolve(diagnostics),
    ),
  );
  await open('application.score > "x" AND application.scor > 3', 0);
  expect((await shown).map(({ message }) => message)).toEqual([
    'cannot compare "application.score" (a number) with a string',
    'application has no attribute or relation "scor"; did you mean "score"?',
  ]);
});

test('the check of a text has the hint null when a violation has no hint', async () => {
  const found = check(await load(), 'a.expr', 'application.score > "x" AND application.scor > 3');
  expect(found.map(({ hint }) => hint)).toEqual([null, 'did you mean "score"?']);
});

test('the language server uses the present model for each request', async () => {
  const at = await open('application.score == 1', 14);
  const hovered = async () => JSON.stringify(await editor.sendRequest('textDocument/hover', at));
  expect(await hovered()).not.toContain('The new label');
  const next = load('The new label');
  language = () => next;
  expect(await hovered()).toContain('The new label');
});
