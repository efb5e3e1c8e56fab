import { type CollectionKey, completeKey, parseDatapath, type SyntaxOptions } from '@ats/datapath';

/** The name of the attribute with the value of a key, unless the model names another attribute. */
export const DEFAULT_VALUE_ATTRIBUTE = 'value';

/**
 * Names the step from an object to a value of a collection, such as `prices.EUR`. The value counts as a related object,
 * because it can be missing. Parts of the key that were left out get their default values, so that each value has
 * exactly one name. The name contains a point, so it differs from the names of all relations.
 */
export const collectionStep = (syntax: SyntaxOptions, key: CollectionKey): string =>
  `${key.collection}.${completeKey(syntax, key).join(':')}`;

/** Returns the key that a step names, or undefined when the step is a relation. */
export function keyOfStep(step: string): CollectionKey | undefined {
  const point = step.indexOf('.');
  return point < 0 ? undefined : { collection: step.slice(0, point), parts: step.slice(point + 1).split(':') };
}

/** Splits a datapath into names: one for each step, and one for the end. */
export function stepNames(model: SyntaxOptions & { readonly valueAttribute?: string }, datapath: string): string[] {
  const { collections = [] } = model;
  if (!collections.some(({ name }) => `.${datapath}`.includes(`.${name}.`))) return datapath.split('.');
  const { names, key } = parseDatapath(datapath, model);
  return key ? [...names, collectionStep(model, key), model.valueAttribute ?? DEFAULT_VALUE_ATTRIBUTE] : [...names];
}
