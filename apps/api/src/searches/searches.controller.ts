import { configSearches, savedSearches } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { ConfigSearchesService } from './config-searches.service.js';
import { SavedSearchesService } from './saved-searches.service.js';

const example = {
  name: 'Interviews for engineers',
  resource: 'applications',
  search: ['/process_state/state=interview', 'vacancy.title=~engineer'],
  sort: ['submitted_dt!desc'],
};

@Controller(pathsOf(savedSearches))
export class SavedSearchesController extends ResourceController(savedSearches, {
  verbs: ['create', 'replace', 'remove'],
  example: { ...example, is_shared: true },
  notes: {
    create: 'It belongs to the recruiter whom the credential acts as. You need the read scope of all that it looks at.',
    replace: 'Only its owner can do this. What the body leaves out gets its default.',
    remove: 'Only its owner can do this.',
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: SavedSearchesService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(configSearches))
export class ConfigSearchesController extends ResourceController(configSearches, {
  verbs: ['create', 'replace', 'remove'],
  example,
  notes: { create: 'Everybody can read, use and change it. You need the read scope of all that it looks at.' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: ConfigSearchesService) {
    super(reader, unitOfWork, writes);
  }
}
