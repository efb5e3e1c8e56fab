import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions, type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

export const UNKNOWN = 987_654_321;
export const copy = (api: Api, id: number, body: unknown, options?: RequestOptions): Promise<Answer> =>
  api.post(`/applications/${id}/copy`, body, options);
export const idOf = (value: unknown): number => (value as Item).id;

export interface Entry {
  readonly type: string;
  readonly from: object | null;
  readonly to: { readonly state: string } | null;
  readonly user: Item;
  readonly changes: readonly { readonly path: string; readonly old: unknown; readonly new: unknown }[] | null;
}
export const historyOf = async (api: Api, path: string): Promise<readonly Entry[]> =>
  ((await api.get(`${path}/history`)).json as { readonly items: readonly Entry[] }).items;
export const valuesOf = async (api: Api, id: number): Promise<unknown> =>
  ((await api.get(`/applications/${id}/form_values`)).json as { readonly form_values: unknown }).form_values;

/**
 * Creates a form for applications with one repeatable section.
 * @returns the ids of the form and of its items
 */
export async function formWith(
  make: Factories,
  items: readonly object[],
  properties: object = {},
): Promise<{ readonly id: number; readonly items: readonly number[] }> {
  const form = await make.form({ sections: [{ name: 'Section', repeatable: true, items }], ...properties });
  const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return { id: form.id, items: (section?.items ?? []).map(({ id }) => id) };
}
