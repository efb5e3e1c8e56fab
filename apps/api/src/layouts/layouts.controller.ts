import { layouts } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { LayoutsService } from './layouts.service.js';

const TITLES = `A title sent as plain text is stored in the system’s default language. It replaces the titles in all
languages, except when it equals the present title in the language of the request: then all translations stay.`;

@Controller(pathsOf(layouts))
export class LayoutsController extends ResourceController(layouts, {
  verbs: ['create', 'replace', 'remove'],
  notes: {
    create: 'To get the values of the columns with each item, send `layout=<id>` when you read the collection.',
    replace: `Properties that the body leaves out get their default. ${TITLES} The new columns apply from the next
request with \`layout=<id>\`.`,
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
