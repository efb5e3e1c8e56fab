import { type Message, message } from '@ats/message';
import { checkExpression } from '../checking/check.js';
import { type ObjectModel } from '../checking/model.js';
import { nearestValues } from '../checking/suggest.js';
import { DatapathError, type DatapathViolation } from '../syntax/errors.js';
import { parseExpression } from '../syntax/parser.js';
import { printString } from '../syntax/string-literal.js';
import { type Token } from '../syntax/token.js';
import { tokenize } from '../syntax/tokenizer.js';

/** Replaces a part of a text. Positions are in UTF-16 units. */
export interface TextEdit {
  /** The offset of the replaced text. */
  readonly offset: number;
  /** The length of the replaced text. */
  readonly length: number;
  /** The new text. */
  readonly text: string;
}

/** A change that removes a violation. */
export interface Fix {
  /** What the fix does, for people. */
  readonly title: Message;
  /** The change of the text. */
  readonly edit: TextEdit;
}

/** Returns the violations of an expression, in the order of the text. Empty for a correct expression. */
export function diagnose(text: string, model: ObjectModel, roots: readonly string[]): readonly DatapathViolation[] {
  try {
    checkExpression(parseExpression(text, model), model, roots);
    return [];
  } catch (error) {
    if (error instanceof DatapathError) return error.violations;
    throw error;
  }
}

/**
 * Returns changes that remove a violation, the most likely first. Each change was tried: the violation disappears, and
 * no other one appears.
 */
export function fixesOf(
  text: string,
  violation: DatapathViolation,
  model: ObjectModel,
  roots: readonly string[],
): readonly Fix[] {
  const count = diagnose(text, model, roots).length;
  const isSyntax = !canParse(text, model);
  return candidates(text, violation, model)
    .filter((edit) => {
      const fixed = apply(text, edit);
      const left = diagnose(fixed, model, roots);
      const isSame = left.some(({ code, offset }) => code === violation.code && offset === violation.offset);
      return (
        !isSame &&
        (isSyntax ? canParse(fixed, model) || (left[0]?.offset ?? 0) > violation.offset : left.length < count)
      );
    })
    .map((edit) => ({ title: message`write ${edit.text}`, edit }));
}

export const apply = (text: string, { offset, length, text: inserted }: TextEdit): string =>
  text.slice(0, offset) + inserted + text.slice(offset + length);

function canParse(text: string, model: ObjectModel): boolean {
  try {
    parseExpression(text, model);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the edits that may correct a violation. They insert the values of its hint. For a value outside a closed
 * list, they insert the most similar values of the list.
 */
function candidates(
  text: string,
  { code, offset, length, hint, expected }: DatapathViolation,
  model: ObjectModel,
): readonly TextEdit[] {
  const at = { offset, length };
  const given = text.slice(offset, offset + length);
  if (code === 'unlisted_value')
    return nearestValues(given.slice(1, -1), expected).map((value) => ({ ...at, text: printString(value) }));
  const texts = hint?.values.filter((value): value is string => typeof value === 'string') ?? [];
  const tokens = tokensOf(text, model).filter(
    (token) => token.offset < offset + length && token.offset + token.length > offset,
  );
  if (code === 'type_mismatch')
    return texts.flatMap((instead) =>
      tokens
        .filter(isLiteralOf(instead))
        .map((token) => ({ offset: token.offset, length: token.length, text: instead })),
    );
  if (code === 'operator_not_allowed')
    return texts.flatMap((instead) =>
      tokens
        .filter(({ kind }) => ORDER.has(kind))
        .map((token) => ({ offset: token.offset, length: token.length, text: instead })),
    );
  // The text of a hint replaces either one name or the whole datapath. Both replacements are tried.
  const path = tokens.find(({ kind }) => kind === 'path') ?? at;
  return texts
    .map((instead) => instead.replace(/^"(.*)"$/, '$1'))
    .flatMap((instead) => [
      { ...at, text: instead },
      { offset: path.offset, length: path.length, text: instead },
    ]);
}

const ORDER: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** True for a token with the value of a literal in another notation, such as `"42"` for `42`. */
const isLiteralOf =
  (instead: string) =>
  (token: Token): boolean =>
    (token.kind === 'string' && token.value.toLowerCase() === instead) ||
    (token.kind === 'number' && `"${String(token.value)}"` === instead);

function tokensOf(text: string, model: ObjectModel): readonly Token[] {
  try {
    return tokenize(text, model);
  } catch {
    return [];
  }
}
