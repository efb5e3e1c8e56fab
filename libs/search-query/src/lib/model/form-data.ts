import { type FormDataIndex, parseDatapath } from '@ats/datapath';

const PREFIX = 'formdata.';

/** Name of the attribute that holds the value of a form value object. */
export const FORM_VALUE = 'value';

/**
 * Names the step from an object to one of its form values. A form value counts as a related object, because it can be
 * missing. A section or form instance that is not given is written as 1, so that each form value has exactly one name.
 */
export const formDataStep = ({ item, section = 1, form = 1 }: FormDataIndex): string =>
  `${PREFIX}${item}:${String(section)}:${String(form)}`;

/** Returns the form value that a step names, or undefined when the step is a relation. */
export const formDataOf = (step: string): FormDataIndex | undefined =>
  step.startsWith(PREFIX) ? parseDatapath(step).formData : undefined;

/** Splits a datapath into names: one for each step, and one for the end. */
export function stepNames(datapath: string): string[] {
  if (!`.${datapath}`.includes(`.${PREFIX}`)) return datapath.split('.');
  const { names, formData } = parseDatapath(datapath);
  return formData ? [...names, formDataStep(formData), FORM_VALUE] : [...names];
}
