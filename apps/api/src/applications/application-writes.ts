import {
  type ApplicationClient,
  applicationViolations,
  createApplication,
  deleteApplication,
  lockApplicant,
  replaceApplication,
  type Resource,
} from '@ats/domain';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { allows } from '../vocabulary/scopes.js';

/** Returns the write rules of applications to vacancies or to events. */
export const applicationWrites = (resource: Resource): ResourceWrites => ({
  create: (work, given) => createApplication(work.transaction, resource, given, clientOf(work)),
  replace: (work, id, given) =>
    replaceApplication(work.transaction, resource, { id, given, present: work.present }, clientOf(work)),
  remove: ({ transaction, recruiterId }, id) => deleteApplication(transaction, resource, { id, recruiterId }),
  allViolations: (work, given, found, ownId) =>
    applicationViolations(work.transaction, resource, { given, found, ownId }, clientOf(work)),
  // Locks the candidate before the application. The anonymisation of a candidate uses the same order, so the two
  // transactions cannot deadlock.
  lock: async ({ transaction }, id) => void (await lockApplicant(transaction, resource, id, 'UPDATE')),
});

const clientOf = ({ recruiterId, credentialId, settings, scopes }: Work): ApplicationClient => ({
  recruiterId,
  credentialId,
  settings,
  canReadCandidates: allows(scopes, 'candidates:read'),
});
