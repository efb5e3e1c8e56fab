import { type FormDataIndex, parseDatapath } from '@ats/datapath';

const PREFIX = 'formdata.';

/** The attribute of a form value's object that holds the value. */
export const FORM_VALUE = 'value';

/**
 * The name of the step from an object to one value of a form, which is an object of its own to everything behind it: a value
 * may be missing like any related object. Instances that are not given are the first, so each value has one name.
 */
export const formDataStep = ({ item, section = 1, form = 1 }: FormDataIndex): string =>
  `${PREFIX}${item}:${String(section)}:${String(form)}`;

/** The value that a step leads to; undefined for the name of a relation. */
export const formDataOf = (step: string): FormDataIndex | undefined =>
  step.startsWith(PREFIX) ? parseDatapath(step).formData : undefined;

/** The names of a datapath, one for each step and one for the end. */
export function stepNames(datapath: string): string[] {
  if (!`.${datapath}`.includes(`.${PREFIX}`)) return datapath.split('.');
  const { names, formData } = parseDatapath(datapath);
  return formData ? [...names, formDataStep(formData), FORM_VALUE] : [...names];
}
