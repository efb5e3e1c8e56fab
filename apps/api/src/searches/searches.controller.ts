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
    create: `The owner is the recruiter of the credential. The credential needs the read scope of every resource that
the search reads.`,
    replace: 'Only the owner can replace a saved search. Properties that the body leaves out get their default.',
    remove: 'Only the owner can delete a saved search.',
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
  notes: {
    create: `All recruiters can read, use and change a configured search. The credential needs the read scope of every
resource that the search reads.`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: ConfigSearchesService) {
    super(reader, unitOfWork, writes);
  }
}
