import { anonymiseRecruiter, recruiters } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { keepWriters, NO_WRITER_LEFT } from '../credentials/keep-writers.js';
import { AnonymiseRoutes } from '../privacy/anonymise-routes.js';
import { RecruitersService } from './recruiters.service.js';

/**
 * Recruiters are never deleted, because events and history name them. Clients set `is_active` to false, or anonymise
 * them. Source: docs/reference/resources.md, "Deletion".
 */
@Controller(pathsOf(recruiters))
export class RecruitersController extends ResourceController(recruiters, {
  verbs: ['create', 'replace'],
  errorCodes: ['anonymised'],
  conflicts: { replace: NO_WRITER_LEFT },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: RecruitersService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(recruiters))
export class AnonymiseRecruiterController extends AnonymiseRoutes(recruiters, {
  anonymise: (transaction, id, how) => keepWriters(transaction, () => anonymiseRecruiter(transaction, id, how)),
  conflict: NO_WRITER_LEFT,
  description: `Removes the personal data of the recruiter for good and deactivates the recruiter, so that his or her
credentials stop. The id stays: history, events and vacancies keep their author or owner. Saved searches that only the
recruiter could see are deleted, shared ones stay.`,
}) {}
