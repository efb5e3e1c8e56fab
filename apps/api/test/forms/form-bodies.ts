import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';

export type Properties = Readonly<Record<string, unknown>>;

export const question = (properties: Properties = {}): Properties => ({
  key: 'answer',
  label: 'Answer',
  type: 'text',
  ...properties,
});
export const formOf = (items: readonly Properties[], properties: Properties = {}): Properties => ({
  name: 'Form',
  resource: 'applications',
  sections: [{ name: 'Section', items }],
  ...properties,
});
export const violationsOf = async (api: Api, body: Properties): Promise<readonly string[]> =>
  (await api.post('/forms', body)).violations;
export const itemViolations = (api: Api, ...items: readonly Properties[]): Promise<readonly string[]> =>
  violationsOf(api, formOf(items));

export interface Section extends Item {
  readonly items: readonly (Item & { readonly options: readonly Item[] })[];
}
export const sectionsOf = (form: Item): readonly Section[] => form['sections'] as readonly Section[];
export const itemOf = (form: Item, key: string): Section['items'][number] => {
  const found = sectionsOf(form)
    .flatMap(({ items }) => items)
    .find((item) => item['key'] === key);
  if (!found) throw new Error(`the form has no item ${key}`);
  return found;
};
