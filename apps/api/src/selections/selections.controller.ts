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
    replace: 'Its members stay. While there are any, it stays with their collection.',
    remove: 'Its members are none the worse for it.',
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: SelectionsService) {
    super(reader, unitOfWork, writes);
  }
}
