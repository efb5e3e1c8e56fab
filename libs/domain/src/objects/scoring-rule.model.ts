import { decimal, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';

/** Limits on the scoring rules of one opportunity. It has at most 100 rules, like every list in a body. */
export const SCORING_LIMITS = {
  /** Maximum and, negated, minimum points of one rule. The sum of 100 rules fits the column of the score. */
  points: 99_999_999.99,
  /** Total length of all conditions. The cost of a score grows with it. */
  characters: 20_000,
  /** Number of different values that all rules read, in one statement. */
  values: 200,
  /** Number of related objects that all rules read. The cost of planning the statement grows faster. */
  relatedObjects: 50,
} as const;

/** Adds points to the score of an application while a condition holds. Source: docs/reference/scoring.md. */
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
        'A condition on the application, such as `application.formdata.21 >= 5`. ' +
        'Writing a rule needs the read scopes of all objects in its datapaths. ' +
        'Every client that may read applications sees the effect of the rule in the score.',
    }),
    points: decimal({
      write: 'required',
      minimum: -SCORING_LIMITS.points,
      maximum: SCORING_LIMITS.points,
      description: 'The points added to the score while the condition holds. They may be negative.',
    }),
  },
});
