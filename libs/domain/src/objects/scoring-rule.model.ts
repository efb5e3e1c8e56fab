import { decimal, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';

/**
 * Limits on the scoring rules of one opportunity. An opportunity has at most 100 rules, because every list in a request
 * body has at most 100 entries.
 */
export const SCORING_LIMITS = {
  /**
   * Maximum points of one rule; its negative is the minimum. The column of the score can store the sum of 100 rules.
   */
  points: 99_999_999.99,
  /** Maximum total length of all conditions, because the cost of computing a score grows with it. */
  characters: 20_000,
  /** Maximum number of different values that all rules read. One statement reads them all. */
  values: 200,
  /**
   * Maximum number of related objects that all rules read. The cost of planning the statement grows faster than this
   * number.
   */
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
      content: 'expression',
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
