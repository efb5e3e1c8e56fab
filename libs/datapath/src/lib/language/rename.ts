import { type SyntaxOptions } from '../syntax/collection.js';
import { tokenize } from '../syntax/tokenizer.js';
import { type TextEdit } from './diagnostics.js';

/**
 * Returns the edits that replace a datapath, or the beginning of longer datapaths, by another one.
 * @param from datapath with its root, such as `application.process_state`
 * @param to datapath with its root
 * @throws {DatapathSyntaxError} when the text has no tokens of the language
 */
export function rename(text: string, from: string, to: string, options: SyntaxOptions): readonly TextEdit[] {
  return tokenize(text, options).flatMap((token) => {
    if (token.kind !== 'path') return [];
    const { text: path } = token.path;
    const isMeant = path === from || path.startsWith(`${from}.`);
    return isMeant ? [{ offset: token.offset, length: from.length, text: to }] : [];
  });
}
