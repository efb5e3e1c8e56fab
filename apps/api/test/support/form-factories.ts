import { type Answer, type Item } from './answer.js';
import { type Api } from './api-harness.js';
import { expectStatus, type Factories } from './factories.js';

export type Properties = Readonly<Record<string, unknown>>;
export type ItemIds = Readonly<Record<string, number>>;

/** Returns the ids of a form's items by their keys. */
export function itemIdsOf(form: Item): ItemIds {
  const sections = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return Object.fromEntries(sections.flatMap(({ items }) => items.map((item) => [String(item['key']), item.id])));
}

/** The types of form items in the documentation. The list is not derived from the code that it tests. */
export const ITEM_TYPES = [
  ...(['text', 'textarea', 'rich_text', 'integer', 'decimal', 'boolean', 'date', 'datetime'] as const),
  ...(['single_select', 'multi_select', 'email', 'phone'] as const),
];

/** Options for a select item of a form. */
export const OPTIONS = [
  { value: 'B', label: 'Car' },
  { value: 'C', label: 'Lorry' },
];

/** Creates forms. Reads and writes form values through the API. */
export class FormFactories {
  constructor(
    private readonly api: Api,
    private readonly make: Factories,
  ) {}

  /**
   * Creates a form with the given items in one section. By default, an item is an optional text.
   * @returns the ids of the items by their keys
   */
  async itemsOf(
    items: Readonly<Record<string, Properties>>,
    { section = {}, ...form }: Properties & { readonly section?: Properties } = {},
  ): Promise<ItemIds> {
    const given = Object.entries(items).map(([key, item]) => ({ key, label: key, type: 'text', ...item }));
    return itemIdsOf(await this.make.form({ sections: [{ name: 'Section', items: given, ...section }], ...form }));
  }

  write({ id }: Item, form_values: unknown, path = 'applications'): Promise<Answer> {
    return this.api.post(`/${path}/${id}/form_values`, { form_values });
  }

  async read({ id }: Item, path = 'applications'): Promise<readonly Properties[]> {
    return valuesOf(await this.api.get(`/${path}/${id}/form_values`));
  }
}

/**
 * Returns the form values in an answer.
 * @throws when the status is not 200
 */
export const valuesOf = (answer: Answer): readonly Properties[] =>
  (expectStatus(200, answer).json as { readonly form_values: readonly Properties[] }).form_values;
