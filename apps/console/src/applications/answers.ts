import { scalarText } from '../data/values.js';

/** A question of a form: docs/reference/forms.md. */
export interface Item {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  readonly visible_if: string | null;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}
export interface Form {
  readonly name: string;
  readonly sections: readonly { readonly name: string; readonly items: readonly Item[] }[];
}
/** A value of an item. Sections can repeat; the page shows the first instance. */
export interface Answer {
  readonly item_id: number;
  readonly section_instance: number;
  readonly form_instance: number;
  readonly value: unknown;
}

/** Finds the answer in the first instance of a section and of a form. */
export const storedAnswer = (id: number, answers: readonly Answer[]): Answer | undefined =>
  answers.find((one) => one.item_id === id && one.section_instance === 1 && one.form_instance === 1);

/** Returns the answer to a question as the text of its field. Several choices have one line each. */
export function textOfAnswer({ id }: Item, answers: readonly Answer[]): string {
  const answer = storedAnswer(id, answers);
  if (answer === undefined || answer.value === null) return '';
  return Array.isArray(answer.value) ? answer.value.join('\n') : scalarText(answer.value);
}

/**
 * Returns the answer from the text of its field. An empty field clears the answer. A text that does not fit the type
 * goes to the service as it is, so that the error of the service says what was expected.
 */
export function fromAnswer({ type }: Item, text: string): unknown {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'multi_select') return text.split('\n');
  if (type === 'integer' || type === 'decimal') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}
