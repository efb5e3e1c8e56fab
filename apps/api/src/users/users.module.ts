import { users } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** Read only: users are created as candidates, recruiters and credentials. */
export const UsersModule = resourceModule(users, { verbs: [] });
