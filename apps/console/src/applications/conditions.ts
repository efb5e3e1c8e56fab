/** Maps the resource of a form to the object type with which the datapaths of its conditions begin. */
const ROOTS: Readonly<Record<string, string>> = { vacancies: 'vacancy', events: 'event' };

/** Returns the object type with which the datapaths of a form's conditions begin. */
export const rootOf = (resource: string): string => ROOTS[resource] ?? 'application';

/**
 * The properties of a form that the editor of conditions uses. When it saves the form, all other properties stay
 * unchanged.
 */
export interface ConditionalForm {
  readonly resource: string;
  readonly sections: readonly { readonly name: string; readonly items: readonly Question[] }[];
}
interface Question {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  readonly visible_if: string | null;
}

/** Maps the id of a question to its changed condition. Null removes the condition. */
export type Conditions = ReadonlyMap<number, string | null>;

/** A question, its present condition, and the JSON pointer of the condition in the body of the form. */
export interface Place {
  readonly id: number;
  readonly label: string;
  readonly condition: string | null;
  readonly pointer: string;
}

const conditionOf = ({ id, visible_if }: Question, changed: Conditions): string | null => {
  const typed = changed.get(id);
  return typed === undefined ? visible_if : typed;
};

/** Returns all questions of a form in their order, with the changed conditions. */
export const placesOf = ({ sections }: ConditionalForm, changed: Conditions): readonly Place[] =>
  sections.flatMap(({ items }, section) =>
    items.map((question, index) => ({
      id: question.id,
      label: question.label,
      condition: conditionOf(question, changed),
      pointer: `/sections/${section}/items/${index}/visible_if`,
    })),
  );

/** Returns the sections of the form with the changed conditions. Removes blank conditions. */
export const sectionsWith = ({ sections }: ConditionalForm, changed: Conditions): ConditionalForm['sections'] =>
  sections.map((section) => ({
    ...section,
    items: section.items.map((question) => ({
      ...question,
      visible_if: conditionOf(question, changed)?.trim() || null,
    })),
  }));
