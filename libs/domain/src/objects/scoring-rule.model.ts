import { decimal, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';

/** The greatest sizes of what scores an opportunity's applications, which has at most a hundred rules, as every list in a body. */
export const SCORING_LIMITS = {
  /** Of one rule, either way: those of a hundred fit the column of a score. */
  points: 99_999_999.99,
  /** Of the conditions of an opportunity together: what a score costs grows with them. */
  characters: 20_000,
  /** Different values that the rules of an opportunity read together, in one statement. */
  values: 200,
  /** Related objects that they read: what planning that statement costs grows faster than they do. */
  relatedObjects: 50,
} as const;

/** What a condition that holds adds to the score of an application. Source: CONTRACT.md 5, `copy`. */
export const scoringRule = objectType({
  name: 'scoring_rule',
  table: 'scoring_rules',
  searchText: 'search_text',
  label: 'expression',
  properties: {
    expression: text({
      write: 'required',
      maxLength: 4_096,
      description:
        'A condition on the application, such as `application.formdata.21 >= 5`. What it looks through needs its own read scope; whether it holds shows in the score, to all who may read applications.',
    }),
    points: decimal({
      write: 'required',
      minimum: -SCORING_LIMITS.points,
      maximum: SCORING_LIMITS.points,
      description: 'What is added while the condition holds; below zero it is taken away.',
    }),
  },
});
