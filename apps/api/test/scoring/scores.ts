import { expect } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

export type Rule = readonly [expression: string, points: number];
export const UNKNOWN = 987_654_321;
export const toRules = (rules: readonly Rule[]): Readonly<Record<string, unknown>> => ({
  scoring_rules: rules.map(([expression, points]) => ({ expression, points })),
});
export const score = (api: Api, id: number, body?: unknown): Promise<Answer> =>
  api.post(`/applications/${id}/score`, body);

/** Replaces the scoring rules of the application's vacancy. */
export const setRules = async (api: Api, { opportunity_id }: Item, ...rules: readonly Rule[]): Promise<void> => {
  expect((await api.put(`/vacancies/${Number(opportunity_id)}`, { title: 'Engineer', ...toRules(rules) })).status).toBe(
    200,
  );
};

export async function scoreBy(api: Api, application: Item, ...rules: readonly Rule[]): Promise<unknown> {
  await setRules(api, application, ...rules);
  const { status, item } = await score(api, application.id);
  expect(status).toBe(200);
  return item['score'];
}

export const changesOf = async (api: Api, id: number): Promise<readonly unknown[]> =>
  (
    (await api.get(`/applications/${id}/history`)).json as {
      readonly items: readonly { readonly type: string; readonly changes: unknown }[];
    }
  ).items
    .filter(({ type }) => type === 'field_change')
    .map(({ changes }) => changes);

export async function itemsOf(make: Factories, items: readonly object[]): Promise<readonly number[]> {
  const form = await make.form({ sections: [{ name: 'Section', repeatable: true, items }] });
  const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return (section?.items ?? []).map(({ id }) => id);
}
