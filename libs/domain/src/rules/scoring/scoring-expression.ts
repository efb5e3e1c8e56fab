import {
  checkExpression,
  type CompiledExpression,
  compileExpression,
  type DatapathTable,
  type ObjectModel,
  parseExpression,
} from '@ats/datapath';

/** The root of all datapaths in scoring rules. Source: docs/reference/expressions.md, "Roots". */
export const SCORING_ROOT = 'application';

/**
 * Checks and compiles the condition of a scoring rule.
 * @param model  includes the form items that the text names, see `modelForTexts`
 * @param table  shared by all rules of an opportunity, so that they read each value once; only needed for evaluation
 * @throws {DatapathError} with all violations of the text
 */
export const compileScoringExpression = (text: string, model: ObjectModel, table?: DatapathTable): CompiledExpression =>
  compileExpression(checkExpression(parseExpression(text, model), model, [SCORING_ROOT]), table);
