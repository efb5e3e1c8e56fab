import { type Form, type Item } from './answers.js';

type Loose = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value)
    ? (value as readonly unknown[]).filter((part): part is Loose => typeof part === 'object' && part !== null)
    : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Reads the sections of a form while a user writes them. Parts that are missing or not valid yet get empty values. A
 * new question has no id before the form is saved, so it gets a negative id here.
 */
export function draftOf(sections: unknown): Form {
  let last = 0;
  return {
    name: '',
    sections: listOf(sections).map((section) => ({
      name: textOf(section['name']),
      items: listOf(section['items']).map((item) => itemOf(item, () => (last -= 1))),
    })),
  };
}

function itemOf(item: Loose, newId: () => number): Item {
  const { id, required, visible_if: condition } = item;
  return {
    id: typeof id === 'number' ? id : newId(),
    key: textOf(item['key']),
    label: textOf(item['label']),
    type: textOf(item['type']),
    required: required === true,
    visible_if: textOf(condition).trim() || null,
    options: listOf(item['options']).map(({ value, label }) => ({
      value: textOf(value),
      label: textOf(label) || textOf(value),
    })),
  };
}
