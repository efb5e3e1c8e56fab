import { expect } from '@jest/globals';
import { type Api } from '../support/api-harness.js';

export const rule = (expression: unknown, points: unknown = 1): object => ({ expression, points });
export const post = (api: Api, scoring_rules: unknown): ReturnType<Api['post']> =>
  api.post('/vacancies', { title: 'Engineer', scoring_rules });
export const violationsOf = async (api: Api, scoring_rules: unknown): Promise<readonly string[]> => {
  const { status, violations } = await post(api, scoring_rules);
  expect(status).toBe(422);
  return violations;
};
