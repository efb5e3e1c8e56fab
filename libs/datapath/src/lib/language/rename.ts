import { type SyntaxOptions } from '../syntax/collection.js';
import { expectedButFound, syntaxError } from '../syntax/errors.js';
import { type Token } from '../syntax/token.js';
import { tokenize } from '../syntax/tokenizer.js';
import { apply, type TextEdit } from './diagnostics.js';

/**
 * Returns the edits that replace a datapath by another one, also where it is the beginning of a longer datapath.
 * @param from  datapath with its root, such as `application.process_state`
 * @param to  datapath with its root
 * @throws {DatapathSyntaxError} when the text cannot be split into tokens of the language, or when `to` is not a
 *   datapath, or when a longer datapath that begins with `to` is invalid
 */
export function rename(text: string, from: string, to: string, options: SyntaxOptions): readonly TextEdit[] {
  assertDatapath(to, options);
  const edits = tokenize(text, options).flatMap((token): readonly TextEdit[] => {
    if (token.kind !== 'path') return [];
    const { text: path } = token.path;
    const isMeant = path === from || path.startsWith(`${from}.`);
    if (isMeant) assertDatapath(to + path.slice(from.length), options);
    return isMeant ? [{ offset: token.offset, length: from.length, text: to }] : [];
  });
  // Throws when the renamed text exceeds a limit, such as the maximum length.
  tokenize(edits.reduceRight(apply, text), options);
  return edits;
}

/** @throws {DatapathSyntaxError} when a text is not exactly one datapath. A keyword such as AND is not a datapath. */
function assertDatapath(text: string, options: SyntaxOptions): void {
  const [token]: readonly Token[] = tokenize(text, options);
  if (token?.kind === 'path' && token.path.text === text) return;
  const found = text === '' ? 'end of text' : `"${text}"`;
  const message = expectedButFound(['datapath'], found);
  throw syntaxError(text, {
    code: 'invalid_path',
    message,
    offset: 0,
    length: text.length,
    expected: ['datapath'],
    found,
  });
}
