import { selections } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { SelectionsService } from './selections.service.js';

@Controller(pathsOf(selections))
export class SelectionsController extends ResourceController(selections, {
  verbs: ['create', 'replace', 'remove'],
  example: { name: 'Shortlist for the board', resource: 'candidates' },
  notes: {
    replace: 'The selection keeps its members. A selection that has members cannot change its collection.',
    remove: 'The items in the selection are not deleted.',
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: SelectionsService) {
    super(reader, unitOfWork, writes);
  }
}
