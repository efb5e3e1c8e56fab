import { closedValuesAt } from '../objects/closed-values.js';
import { type DomainModel } from '../objects/object-model.js';
import { type RunQuery } from '../reading/run-query.js';
import { modelForTexts } from './form-items.js';

/**
 * Returns the object model for checking texts that clients send or write. It has the form items that the texts name,
 * and the closed lists of values: a comparison with a value outside its list is a violation. For stored texts use
 * {@link modelForTexts}, which accepts every value, because a list may have lost values after a text was stored.
 */
export const modelForNewTexts = async (run: RunQuery, texts: readonly string[]): Promise<DomainModel> => ({
  ...(await modelForTexts(run, texts)),
  closedValues: closedValuesAt,
});

/**
 * Returns the model without its closed lists. Checks with this model also accept stored texts whose values are no
 * longer in a list.
 */
export function withoutLists({ closedValues: _lists, ...model }: DomainModel): DomainModel {
  return model;
}
