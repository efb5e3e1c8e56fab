import { recruiters } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/**
 * Recruiters are never deleted, because events and history name them. Clients set `is_active` to false instead.
 * Source: docs/reference/resources.md, "Deletion".
 */
export const RecruitersModule = resourceModule(recruiters, { verbs: ['create', 'replace'] });
