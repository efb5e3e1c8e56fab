import { users } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** Users are read-only. Clients create them as candidates, recruiters or credentials. */
export const UsersModule = resourceModule(users, { verbs: [] });
