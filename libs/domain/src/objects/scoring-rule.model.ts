import { decimal, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';

/**
 * Limits of the scoring rules of one opportunity. There can be at most 100 rules, because that is the limit for every
 * list in a request body.
 */
export const SCORING_LIMITS = {
  /**
   * Maximum points of a rule. The minimum is the same number, negative. The column of the score can store the sum of
   * 100 rules.
   */
  points: 99_999_999.99,
  /** Maximum total length of all conditions. The cost of computing a score grows with this length. */
  characters: 20_000,
  /** Maximum number of different values that all rules read in total. One statement reads all these values. */
  values: 200,
  /**
   * Maximum number of related objects that all rules read in total. The cost of planning the statement grows faster
   * than this number.
   */
  relatedObjects: 50,
} as const;

/**
 * A scoring rule: adds points to the score of an application for which its condition is true.
 * Source: docs/reference/scoring.md.
 */
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
