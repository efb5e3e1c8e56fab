import { systems } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** The installation itself, read only. */
export const SystemsModule = resourceModule(systems, { verbs: [] });
