import {
  checkExpression,
  type CompiledExpression,
  compileExpression,
  type DatapathTable,
  type ObjectModel,
  parseExpression,
} from '@ats/datapath';

/** The root with which all datapaths in scoring rules begin. Source: docs/reference/expressions.md, "Roots". */
export const SCORING_ROOT = 'application';

/**
 * Checks and compiles the condition of a scoring rule.
 * @param model  includes the form items that the text names, see `modelForTexts`
 * @param table  needed only for evaluation. All rules of an opportunity share it, so that each value is read once
 * @throws {DatapathError} with all violations of the text
 */
export const compileScoringExpression = (text: string, model: ObjectModel, table?: DatapathTable): CompiledExpression =>
  compileExpression(checkExpression(parseExpression(text, model), model, [SCORING_ROOT]), table);
