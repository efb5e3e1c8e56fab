import { recruiters } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** Recruiters are never deleted, since events and history name them: `is_active` ends their work. */
export const RecruitersModule = resourceModule(recruiters, { verbs: ['create', 'replace'] });
