import { systems } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { SystemsService } from './systems.service.js';

/** The settings of the installation. Clients change single settings, and never create, replace or delete a system. */
@Controller(pathsOf(systems))
export class SystemsController extends ResourceController(systems, {
  verbs: ['update'],
  notes: {
    update: `A change takes effect within a minute in every process: postings become live or expire by the new
\`timezone\`, with their events, and expressions read \`DATE("today")\` in it. To change
\`candidate_retention_days\` or \`retention_notice_days\`, a client also needs the scope \`candidates:write\`.`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: SystemsService) {
    super(reader, unitOfWork, writes);
  }
}
