import { users } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** Read only: candidates, recruiters and credentials make users. */
export const UsersModule = resourceModule(users, { verbs: [] });
