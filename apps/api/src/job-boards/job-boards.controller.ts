import { jobBoards } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { JobBoardsService } from './job-boards.service.js';

@Controller(pathsOf(jobBoards))
export class JobBoardsController extends ResourceController(jobBoards, {
  verbs: ['create', 'replace', 'remove'],
  example: { name: 'Careers page', code: 'careers', base_url: 'https://careers.example.com' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: JobBoardsService) {
    super(reader, unitOfWork, writes);
  }
}
