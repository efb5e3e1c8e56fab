import { expect } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type FormFactories, type ItemIds, type Properties } from '../support/form-factories.js';
import { expectNoTrace } from '../support/whole-database.js';

/** The collections of applications to vacancies and to events. */
export type Kind = 'applications' | 'event_applications';

/** Makes a new candidate for the body of an application. */
export const person = (properties: Properties = {}): Properties => ({
  firstname: 'Ada',
  lastname: 'Byron',
  email: `${Math.random().toString(36).slice(2)}@example.com`,
  ...properties,
});

/**
 * Creates a form. `a` is required and `b` is an integer. `c` is visible while `b` is above 3, `d` for the location
 * Berlin, `e` for the first name Ada, and `f` while the rating is 5.
 */
export const questions = (forms: FormFactories, resource: Kind): Promise<ItemIds> =>
  forms.itemsOf(
    {
      a: { required: true },
      b: { type: 'integer' },
      c: { visible_if: 'application.formdata.b > 3' },
      d: { visible_if: 'application.opportunity.location == "Berlin"' },
      e: { visible_if: 'application.user.firstname == "Ada"' },
      f: { visible_if: 'application.rating == 5' },
    },
    { resource },
  );

/** Expects an answer 422 with these violations, in any order, and an unchanged database. */
export async function expectRefused(
  api: Api,
  request: () => Promise<Answer>,
  violations: readonly string[],
): Promise<void> {
  const answer = await expectNoTrace(api.database, request);
  expect([answer.status, [...answer.violations].sort()]).toEqual([422, [...violations].sort()]);
}
