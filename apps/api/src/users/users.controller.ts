import { users } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';

/** Read only: candidates, recruiters and credentials make users. */
@Controller(pathsOf(users))
export class UsersController extends ResourceController(users, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}
