import {
  type Completion,
  type CompletionKind,
  DatapathError,
  type DatapathViolation,
  type LanguageService,
} from '@ats/datapath';
import {
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  ErrorCodes,
  type Hover,
  type Range,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  attribute: CompletionItemKind.Field,
  relation: CompletionItemKind.Module,
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  function: CompletionItemKind.Function,
  operator: CompletionItemKind.Operator,
  keyword: CompletionItemKind.Keyword,
};

/**
 * Serves editors with the Language Server Protocol. Each document is one expression.
 * @returns a promise that resolves at the end of the input
 */
export function serveEditor(
  language: () => Promise<LanguageService>,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(() => ({
    serverInfo: { name: 'ats' },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['.', '"', ' ', '(', '{', '='] },
      hoverProvider: true,
      documentFormattingProvider: true,
      renameProvider: { prepareProvider: true },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
  }));
  documents.onDidChangeContent(async ({ document }) => {
    const service = await language();
    if (documents.get(document.uri) !== document) return; // The editor has closed the document meanwhile.
    const text = document.getText();
    const diagnostics = service.diagnose(text).map((violation) => diagnosticOf(document, violation));
    void connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  });
  documents.onDidClose(({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }));

  connection.onCompletion(async ({ textDocument, position }) => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    if (!document) return [];
    const { from, to, items } = service.complete(document.getText(), document.offsetAt(position));
    const range = rangeOf(document, from, to - from);
    return items.map((item, index) => completionItem(item, range, index));
  });
  connection.onHover(async ({ textDocument, position }): Promise<Hover | null> => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    const found = document && service.hover(document.getText(), document.offsetAt(position));
    if (!document || !found) return null;
    const { signature, meaning, label, description, values } = found;
    const texts = [meaning && String(meaning), label, description, values && `Values: ${values.join(', ')}`];
    const value = [`\`${signature}\``, ...texts.filter((text) => text !== undefined)].join('\n\n');
    return { contents: { kind: 'markdown', value }, range: rangeOf(document, found.offset, found.length) };
  });
  connection.onDocumentFormatting(async ({ textDocument }) => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    const text = document?.getText() ?? '';
    const changed = formatted(service, text);
    if (!document || changed === undefined) return [];
    return [TextEdit.replace(rangeOf(document, 0, text.length), text.endsWith('\n') ? `${changed}\n` : changed)];
  });
  connection.onPrepareRename(async ({ textDocument, position }) => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    const name = document && nameAt(service, document.getText(), document.offsetAt(position));
    return name ? rangeOf(document, name.offset, name.length) : null;
  });
  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    const name = document && nameAt(service, document.getText(), document.offsetAt(position));
    if (!name) return null;
    if (newName === '') throw new ResponseError(ErrorCodes.InvalidParams, 'the new name is empty');
    const to = newName.includes('.') ? newName : [...name.path.split('.').slice(0, -1), newName].join('.');
    const edits = renamed(service, document.getText(), name.path, to);
    return {
      changes: {
        [textDocument.uri]: edits.map(({ offset, length, text }) =>
          TextEdit.replace(rangeOf(document, offset, length), text),
        ),
      },
    };
  });
  connection.onCodeAction(async ({ textDocument, range }) => {
    const service = await language();
    const document = documents.get(textDocument.uri);
    if (!document) return [];
    const text = document.getText();
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const marked = service.diagnose(text).filter(({ offset, length }) => offset <= to && offset + length >= from);
    return marked.flatMap((violation) =>
      service.fixes(text, violation).map(({ title, edit }, index) => ({
        title: String(title),
        kind: CodeActionKind.QuickFix,
        isPreferred: index === 0,
        diagnostics: [diagnosticOf(document, violation)],
        edit: {
          changes: {
            [textDocument.uri]: [TextEdit.replace(rangeOf(document, edit.offset, edit.length), edit.text)],
          },
        },
      })),
    );
  });
  documents.listen(connection);
  connection.listen();
  return new Promise((resolve) => {
    connection.onExit(resolve);
    input.once('end', resolve);
  });
}

const rangeOf = (document: TextDocument, offset: number, length: number): Range => ({
  start: document.positionAt(offset),
  end: document.positionAt(offset + length),
});

const diagnosticOf = (document: TextDocument, violation: DatapathViolation): Diagnostic => ({
  range: rangeOf(document, violation.offset, violation.length),
  severity: DiagnosticSeverity.Error,
  source: 'ats',
  code: violation.code,
  message: [violation.message, violation.hint].filter((text) => text !== null).join('; '),
});

const completionItem = (
  { kind, text, detail, label, description }: Completion,
  range: Range,
  index: number,
): CompletionItem => ({
  label: text,
  kind: KINDS[kind],
  textEdit: TextEdit.replace(range, text),
  sortText: String(index).padStart(4, '0'), // Editors would otherwise sort the suggestions by name.
  ...(detail !== undefined && { detail }),
  ...((label ?? description) !== undefined && {
    documentation: [label, description].filter((one) => one !== undefined).join('\n\n'),
  }),
});

/** Returns the datapath or other name at a position. A datapath ends with the name at the position. */
function nameAt(service: LanguageService, text: string, offset: number) {
  const found = service.hover(text, offset);
  if (!found || found.meaning !== undefined) return undefined;
  // Cuts `<datapath>: <type>` at its last colon with a space. Keys of form values, such as `21:2`, have colons without
  // a space.
  const path = found.signature.slice(0, found.signature.lastIndexOf(': '));
  return { path, offset: found.offset, length: found.length };
}

/** Returns the edits of a rename. @throws {ResponseError} for a new name that cannot stand there */
function renamed(service: LanguageService, text: string, from: string, to: string) {
  try {
    return service.rename(text, from, to);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    throw new ResponseError(ErrorCodes.InvalidParams, `"${to}" is no datapath: ${String(error.violations[0].message)}`);
  }
}

/** Returns the formatted text. Undefined when the text is no expression. */
function formatted(service: LanguageService, text: string): string | undefined {
  try {
    return service.format(text);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}
