import { checkModel } from '../checking/model-error.js';
import { type Expression } from '../syntax/ast.js';
import { type DatapathViolation } from '../syntax/errors.js';
import { complete, type Completions } from './completion.js';
import { diagnose, type Fix, fixesOf, parsedOf, type TextEdit } from './diagnostics.js';
import { format } from './format.js';
import { classify, type ClassifiedToken } from './highlight.js';
import { hover, type Hover } from './hover.js';
import { type LanguageModel } from './language-model.js';
import { rename } from './rename.js';

/** The functions behind an editor of expressions. All positions are in UTF-16 units. */
export interface LanguageService {
  /** Returns the violations of a text, in the order of the text. Empty for a correct expression. */
  diagnose(text: string): readonly DatapathViolation[];
  /** Returns changes that remove a violation of `diagnose`, the most likely first. */
  fixes(text: string, violation: DatapathViolation): readonly Fix[];
  /** Suggests what may stand at a position. The text may be incomplete. */
  complete(text: string, offset: number): Completions;
  /** Describes the name, operator or function at a position. */
  hover(text: string, offset: number): Hover | undefined;
  /** Formats a text. @throws {DatapathSyntaxError} when the text is not an expression */
  format(text: string): string;
  /**
   * Returns the edits that replace a datapath, or the beginning of longer ones.
   * @throws {DatapathSyntaxError} when the text cannot be split into tokens, or when `to` is not a datapath that may
   *   stand there
   */
  rename(text: string, from: string, to: string): readonly TextEdit[];
  /** Returns the tokens of a text for its colours. The text may be incomplete or wrong. */
  tokens(text: string): readonly ClassifiedToken[];
}

/**
 * Creates the language service of an object model.
 * @param roots names that datapaths may begin with; each is the name of an object type of the model
 * @throws {ModelError} when the model contradicts itself
 * Source: docs/reference/expressions.md.
 */
export function createLanguageService(model: LanguageModel, roots: readonly string[]): LanguageService {
  checkModel(model, roots);
  // A host requests the fixes of each violation of a text in turn. So the syntax tree of the latest text is kept, and
  // each text is parsed once.
  let last: { readonly text: string; readonly parsed: Expression | undefined } | undefined;
  const parsed = (text: string): Expression | undefined => {
    if (last?.text !== text) last = { text, parsed: parsedOf(text, model) };
    return last.parsed;
  };
  return {
    diagnose: (text) => diagnose(text, model, roots),
    fixes: (text, violation) => fixesOf(text, violation, { model, roots, parsed: parsed(text) }),
    complete: (text, offset) => complete(text, offset, model, roots),
    hover: (text, offset) => hover(text, offset, model, roots),
    format: (text) => format(text, model),
    rename: (text, from, to) => rename(text, from, to, model),
    tokens: (text) => classify(text, model),
  };
}
