import { applications, communications, eventApplications } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { CommsRoutes } from './comms-routes.js';

/** Reads all communications. Clients create communications below an application, and never change them. */
@Controller(pathsOf(communications))
export class CommunicationsController extends ResourceController(communications, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}

@Controller(pathsOf(applications))
export class ApplicationCommsController extends CommsRoutes(applications) {}

@Controller(pathsOf(eventApplications))
export class EventApplicationCommsController extends CommsRoutes(eventApplications) {}
