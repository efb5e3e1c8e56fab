import { systems } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** A system is the installation of the service. It is read-only. */
export const SystemsModule = resourceModule(systems, { verbs: [] });
