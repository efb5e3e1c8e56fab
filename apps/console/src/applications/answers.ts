import { scalarText } from '../data/values.js';

/** A question of a form. Source: docs/reference/forms.md. */
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
/** The value of a form item. The page shows only the first instance of a repeatable section. */
export interface Answer {
  readonly item_id: number;
  readonly section_instance: number;
  readonly form_instance: number;
  readonly value: unknown;
}

/** Finds the answer to a question in the first instance of its section and form. */
export const storedAnswer = (id: number, answers: readonly Answer[]): Answer | undefined =>
  answers.find((one) => one.item_id === id && one.section_instance === 1 && one.form_instance === 1);

/** Returns the answer to a question as the text of its field. Each of several choices has a line of its own. */
export function textOfAnswer({ id }: Item, answers: readonly Answer[]): string {
  const answer = storedAnswer(id, answers);
  if (answer === undefined || answer.value === null) return '';
  return Array.isArray(answer.value) ? answer.value.join('\n') : scalarText(answer.value);
}

/**
 * Converts the text of a field to an answer. An empty text becomes null, which removes the answer. A text that does not
 * fit the type stays a text, so that the error of the service says what it expected.
 */
export function fromAnswer({ type }: Item, text: string): unknown {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'multi_select') return text.split('\n');
  if (type === 'integer' || type === 'decimal') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}
