import { type SyntaxOptions } from '../syntax/collection.js';
import { tokenize } from '../syntax/tokenizer.js';
import { type TextEdit } from './diagnostics.js';

/**
 * Returns the edits that replace a datapath by another one, also where it is the beginning of a longer datapath.
 * @param from  datapath with its root, such as `application.process_state`
 * @param to  datapath with its root
 * @throws {DatapathSyntaxError} when the text cannot be split into tokens of the language
 */
export function rename(text: string, from: string, to: string, options: SyntaxOptions): readonly TextEdit[] {
  return tokenize(text, options).flatMap((token) => {
    if (token.kind !== 'path') return [];
    const { text: path } = token.path;
    const isMeant = path === from || path.startsWith(`${from}.`);
    return isMeant ? [{ offset: token.offset, length: from.length, text: to }] : [];
  });
}
