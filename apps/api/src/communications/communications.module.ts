import { applications, communications, eventApplications } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { CommsRoutes } from './comms-routes.js';
import { CommunicationsService } from './communications.service.js';

/** Read only: what was said stays as it was said, and is written where it belongs to an application. */
@Controller(pathsOf(communications))
class CommunicationsController extends ResourceController(communications, { verbs: [] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, {});
  }
}

@Controller(pathsOf(applications))
class ApplicationCommsController extends CommsRoutes(applications) {}

@Controller(pathsOf(eventApplications))
class EventApplicationCommsController extends CommsRoutes(eventApplications) {}

@Module({
  controllers: [CommunicationsController, ApplicationCommsController, EventApplicationCommsController],
  providers: [CommunicationsService],
})
export class CommunicationsModule {}
