import { systems } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** The installation of the service, read only. */
export const SystemsModule = resourceModule(systems, { verbs: [] });
