import { recruiters } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { RecruitersService } from './recruiters.service.js';

@Controller(pathsOf(recruiters))
export class RecruitersController extends ResourceController(recruiters, {
  verbs: ['create', 'replace'],
  example: { firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.com', job_title: 'Head of recruiting' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: RecruitersService) {
    super(reader, unitOfWork, writes);
  }
}
