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

/** What only the database can say of the body of an opportunity, its rules among it, be its form right or not. */
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
 * @param applications  what the rules are about: applications to vacancies, or those to events
 * @throws {ValidationError} with the faults of all rules, and all others that the database knows of
 * @throws {Problem} 403 when a rule looks at what its writer may not read. CONTRACT.md 2
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
