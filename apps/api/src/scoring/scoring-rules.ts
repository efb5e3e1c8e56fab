import {
  bodyFaults,
  validateScoringRules,
  type Resource,
  runIn,
  SCORING_ROOT,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

/**
 * Finds the violations in the body of an opportunity that depend on the database, those of its scoring rules included.
 * The body may have violations of the schema too.
 */
export async function opportunityFaults(
  work: Work,
  resource: Resource,
  given: WriteBody,
  ownId?: number,
): Promise<readonly ValidationFault[]> {
  return [
    ...(await bodyFaults(work.transaction, resource, given, ownId)),
    ...(await validateScoringRules(runIn(work.transaction), given, ownId)).faults,
  ];
}

/**
 * Checks the scoring rules of a valid body.
 * @param applications  resource that the rules are about: applications to vacancies, or to events
 * @throws {ValidationError} with the violations of all rules, and all others that depend on the database
 * @throws {Problem} 403 when a rule reads a resource that the credential may not read
 * Source: docs/reference/scoring.md, "Scoring rules".
 */
export async function checkScoringRules(
  work: Work,
  { resource, applications }: { readonly resource: Resource; readonly applications: Resource },
  body: WriteBody,
  ownId?: number,
): Promise<void> {
  const { faults, datapaths } = await validateScoringRules(runIn(work.transaction), body, ownId);
  if (faults.length > 0)
    throw new ValidationError(resource.name, [
      ...(await bodyFaults(work.transaction, resource, body, ownId)),
      ...faults,
    ]);
  checkDatapathScopes(work.scopes, SCORING_ROOT, datapaths, applications.leadsTo);
}
