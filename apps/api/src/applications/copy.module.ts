import { applications, eventApplications } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf } from '../collections/resource-controller.js';
import { CopyRoutes } from './copy-routes.js';

@Controller(pathsOf(applications))
class ApplicationCopyController extends CopyRoutes(applications) {}

@Controller(pathsOf(eventApplications))
class EventApplicationCopyController extends CopyRoutes(eventApplications) {}

@Module({ controllers: [ApplicationCopyController, EventApplicationCopyController] })
export class CopyModule {}
