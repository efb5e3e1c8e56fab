import { notificationEndpoints } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';

/** Reads endpoints. Source: docs/reference/notifications.md, "Endpoints". */
@Controller(pathsOf(notificationEndpoints))
export class EndpointsController extends ResourceController(notificationEndpoints, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}
