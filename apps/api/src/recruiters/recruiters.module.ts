import { insertObject, recruiters, replaceObject, type WriteBody } from '@ats/domain';
import { Controller, Injectable, Module } from '@nestjs/common';
import { pathsOf, ResourceController, type ResourceWrites } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';

/** Recruiters are never deleted, since events and history name them: `is_active` ends their time. CONTRACT.md 11. */
@Injectable()
class RecruitersService implements ResourceWrites {
  create({ transaction }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, recruiters, body);
  }

  async replace({ transaction, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await replaceObject(transaction, recruiters, { id, body }, settings);
  }
}

@Controller(pathsOf(recruiters))
class RecruitersController extends ResourceController(recruiters, {
  verbs: ['create', 'replace'],
  example: { firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.com', job_title: 'Head of recruiting' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: RecruitersService) {
    super(reader, unitOfWork, writes);
  }
}

@Module({ controllers: [RecruitersController], providers: [RecruitersService] })
export class RecruitersModule {}
