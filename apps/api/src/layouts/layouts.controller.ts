import { layouts } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { LayoutsService } from './layouts.service.js';

const TITLES =
  'A title without a language is in the system’s default one, and the only one there is: titles in other languages are gone.';

@Controller(pathsOf(layouts))
export class LayoutsController extends ResourceController(layouts, {
  verbs: ['create', 'replace', 'remove'],
  notes: {
    create: 'From then on `layout=<id>` adds the values of its columns to the items of its collection.',
    replace: `What the body leaves out gets its default. ${TITLES} The next request with \`layout=<id>\` has the new columns.`,
  },
  example: {
    name: 'Interviews',
    resource: 'applications',
    columns: [
      { title: { en: 'Candidate', de: 'Kandidat' }, datapath: 'application.user' },
      { title: { en: 'State', de: 'Status' }, datapath: 'application.main_process_state.state.name' },
      { title: { en: 'Days', de: 'Tage' }, datapath: 'application.days_in_state' },
    ],
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: LayoutsService) {
    super(reader, unitOfWork, writes);
  }
}
