import { DatapathError, violationMessage, type ResolvedDatapath } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type RunQuery } from '../../reading/run-query.js';
import { isOwnFormValue } from '../../facts/own-form-values.js';
import { modelForNewTexts } from '../../facts/closed-values.js';
import { type DomainModel } from '../../objects/object-model.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { MAX_ELEMENTS, type WriteBody } from '../../writing/write-schema.js';
import { compileScoringExpression, SCORING_ROOT } from './scoring-expression.js';
import { type ScoringRule } from './scoring.js';
import { SCORING_LIMITS, scoringRule } from '../../objects/scoring-rule.model.js';

export interface ValidatedRules {
  readonly violations: readonly Violation[];
  /** The datapaths that the valid rules read, without the root's name. */
  readonly datapaths: readonly string[];
}

/**
 * Validates the conditions of an opportunity's scoring rules. Elements that violate the schema of a rule are skipped. A
 * rule that does not change is accepted, even if its expression is no longer valid.
 * @param opportunityId  the opportunity whose rules are replaced; undefined for a new opportunity
 * @returns all violations with their JSON pointers, and the datapaths that the valid rules read
 * Source: docs/reference/scoring.md, "Scoring rules".
 */
export async function validateScoringRules(
  run: RunQuery,
  { scoring_rules: given }: WriteBody,
  opportunityId?: number,
): Promise<ValidatedRules> {
  const expressions = Array.isArray(given) && given.length <= MAX_ELEMENTS ? given.map(expressionOf) : [];
  const model = await modelForNewTexts(
    run,
    expressions.filter((text) => text !== undefined),
  );
  const reads = expressions.map((text) => (text === undefined ? [] : readExpression(text, model)));
  // Only a rule that is not valid must be compared with the stored rules.
  const isInvalid = reads.some((read) => 'violations' in read);
  const present = isInvalid ? await presentRules(run, opportunityId) : new Set<string>();
  const violations: Violation[] = [];
  const values = new Set<string>();
  const related = new Set<string>();
  for (const [index, read] of reads.entries()) {
    const violation = (info: Message): void =>
      void violations.push({ path: `/scoring_rules/${index}/expression`, code: 'invalid', info });
    if ('violations' in read) {
      if (!present.has(keyOf((given as readonly unknown[])[index]))) read.violations.forEach(violation);
      continue;
    }
    for (const path of read) {
      const { text: name } = path;
      if (isScore(path))
        violation(
          message`a rule cannot read "${name}": rules compute scores, and a score would change with each computation`,
        );
      values.add(name.slice(SCORING_ROOT.length + 1));
      for (const step of stepsOf(path)) related.add(step);
    }
    if (values.size > SCORING_LIMITS.values)
      violation(message`expected all rules together to read at most ${SCORING_LIMITS.values} different values`);
    if (related.size > SCORING_LIMITS.relatedObjects)
      violation(message`expected all rules together to read at most ${SCORING_LIMITS.relatedObjects} related objects`);
  }
  const characters = expressions.reduce((sum, text = '') => sum + text.length, 0);
  const most = SCORING_LIMITS.characters;
  if (characters > most) {
    violations.push({
      path: '/scoring_rules',
      code: 'invalid',
      info: message`expected at most ${most} characters in the expressions of all rules together, found ${characters}`,
    });
  }
  return { violations, datapaths: [...values] };
}

/** Returns the `keyOf` of each stored rule of the opportunity. A new opportunity has no rules. */
async function presentRules(run: RunQuery, opportunityId: number | undefined): Promise<ReadonlySet<string>> {
  if (opportunityId === undefined) return new Set();
  return new Set(
    (await run('SELECT expression, points FROM scoring_rules WHERE opportunity_id = $1', [opportunityId])).map(keyOf),
  );
}

const keyOf = (rule: unknown): string => {
  const { expression, points } = rule as Partial<ScoringRule>;
  return JSON.stringify([expression, points]);
};

/**
 * True for a datapath that ends in the score of an application. Rules must not read scores: the datapath may lead to
 * the scored application itself, or to one that is scored later.
 */
const isScore = ({ owner, end }: ResolvedDatapath): boolean =>
  owner === SCORING_ROOT && end.kind === 'attribute' && end.name === 'score';

/** Returns the expression of a rule in a body, or undefined for an element that violates the schema. */
function expressionOf(element: unknown): string | undefined {
  const text = typeof element === 'object' && element !== null ? (element as WriteBody)['expression'] : undefined;
  return typeof text === 'string' && scoringRule.attributes['expression']?.schema.safeParse(text).success === true
    ? text
    : undefined;
}

function readExpression(
  text: string,
  model: DomainModel,
): readonly ResolvedDatapath[] | { readonly violations: readonly Message[] } {
  try {
    return compileScoringExpression(text, model).checked.paths;
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { violations: error.violations.map(violationMessage) };
  }
}

/**
 * Identifies the rows that a datapath reads, because their number is limited. Datapaths that follow the same to-one
 * relation share a row. Each to-many datapath counts its rows separately. The application's own form values do not
 * count.
 */
function stepsOf({ text, many, steps, end }: ResolvedDatapath): readonly string[] {
  if (isOwnFormValue(SCORING_ROOT, text)) return [];
  // A form value is a separate row, so it counts like the target of a relation.
  const names = [...steps.map(({ relation }) => relation), ...(end.kind === 'collection' ? [text] : [])];
  return names.map((_, index) => `${many ? text : ''} ${names.slice(0, index + 1).join('.')}`);
}
