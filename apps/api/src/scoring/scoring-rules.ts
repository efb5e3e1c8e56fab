import {
  bodyViolations,
  validateScoringRules,
  type Resource,
  runIn,
  SCORING_ROOT,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { checkTextScopes } from '../collections/change-item.js';
import { type Work } from '../collections/unit-of-work.js';

/**
 * Returns the violations of an opportunity's body that depend on the database, also in its scoring rules. The body may
 * also violate its schema.
 */
export async function opportunityViolations(
  work: Work,
  resource: Resource,
  given: WriteBody,
  ownId?: number,
): Promise<readonly Violation[]> {
  return [
    ...(await bodyViolations(work.transaction, resource, given, ownId)),
    ...(await validateScoringRules(runIn(work.transaction), given, ownId)).violations,
  ];
}

/**
 * Checks the scoring rules of a valid body.
 * @param applications  the resource whose items the rules score: applications to vacancies, or to events
 * @throws {ValidationError} with the violations of all rules, and all other violations that depend on the database
 * @throws {Problem} 403 when a rule reads a resource that the credential may not read
 * Source: docs/reference/scoring.md, "Scoring rules".
 */
export async function checkScoringRules(
  work: Work,
  { resource, applications }: { readonly resource: Resource; readonly applications: Resource },
  body: WriteBody,
  ownId?: number,
): Promise<void> {
  const { violations, datapaths } = await validateScoringRules(runIn(work.transaction), body, ownId);
  if (violations.length > 0)
    throw new ValidationError(resource.name, [
      ...(await bodyViolations(work.transaction, resource, body, ownId)),
      ...violations,
    ]);
  checkTextScopes(work, SCORING_ROOT, datapaths, applications.leadsTo);
}
