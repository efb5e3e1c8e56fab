import {
  checkExpression,
  type CompiledExpression,
  compileExpression,
  type DatapathTable,
  type ObjectModel,
  parseExpression,
} from '@ats/datapath';

/** What the conditions of scoring rules start from. CONTRACT.md 6. */
export const SCORING_ROOT = 'application';

/**
 * Checks the condition of a scoring rule, and makes it ready to run.
 * @param model  with the form items that the text names, see `modelForTexts`
 * @param table  shared with the other rules of the opportunity, when it is to run
 * @throws {DatapathError} with the faults of the text
 */
export const compileScoringExpression = (text: string, model: ObjectModel, table?: DatapathTable): CompiledExpression =>
  compileExpression(checkExpression(parseExpression(text), model, [SCORING_ROOT]), table);
