import { systems } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';

/** The installation itself, read only. */
@Controller(pathsOf(systems))
export class SystemsController extends ResourceController(systems, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}
