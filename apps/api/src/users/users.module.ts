import { users } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf, ResourceController } from '../http/resource-controller.js';
import { ResourceReader } from '../http/resource-reader.js';
import { UnitOfWork } from '../http/unit-of-work.js';

/** Read only: candidates, recruiters and credentials make users. */
@Controller(pathsOf(users))
class UsersController extends ResourceController(users, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}

@Module({ controllers: [UsersController] })
export class UsersModule {}
