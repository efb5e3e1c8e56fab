import { selections } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { SelectionsService } from './selections.service.js';

@Controller(pathsOf(selections))
class SelectionsController extends ResourceController(selections, {
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

@Module({ controllers: [SelectionsController, MembersController], providers: [MembersService, SelectionsService] })
export class SelectionsModule {}
