import { applications, eventApplications } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf } from '../collections/resource-controller.js';
import { CopyRoutes } from './copy-routes.js';

@Controller(pathsOf(applications))
export class ApplicationCopyController extends CopyRoutes(applications) {}

@Controller(pathsOf(eventApplications))
export class EventApplicationCopyController extends CopyRoutes(eventApplications) {}
