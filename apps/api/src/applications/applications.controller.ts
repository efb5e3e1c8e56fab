import { applications, eventApplications } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { HistoryFeedRoutes, HistoryRoutes } from '../history/history-routes.js';
import { StateRoutes } from '../states/state-routes.js';
import { applicationSchema } from './application.dto.js';
import { EventApplicationsService, VacancyApplicationsService } from './applications.service.js';

const options = {
  verbs: ['create', 'replace', 'remove'],
  schema: applicationSchema,
  errorCodes: ['opportunity_not_open', 'not_visible'],
  example: {
    opportunity_id: 12,
    candidate: { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
    source: 'careers page',
    tags: ['referral'],
  },
  notes: {
    create:
      'Name who applies by `user_id`, or send a `candidate`, who is created in the same transaction, as are the values of `form_values`. Each candidate can have one live application to a vacancy or event. Every fault is told at once, those of the candidate and of the form values too, and then nothing is left behind. `applications:write` is enough, also for a `candidate`, so that a careers page needs no more; the answer is the whole application.',
    replace:
      'What the body leaves out gets its default. An application that comes to another opportunity has no score until it is computed there.',
  },
} as const;

@Controller(pathsOf(applications))
export class ApplicationsController extends ResourceController(applications, options) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: VacancyApplicationsService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(applications))
export class ApplicationStateController extends StateRoutes(applications, 'process_state', 'in_review') {}

@Controller(pathsOf(applications))
export class ApplicationHistoryController extends HistoryRoutes(applications, 'application') {}

@Controller(pathsOf(applications))
export class ApplicationFeedController extends HistoryFeedRoutes(applications, 'application') {}

@Controller(pathsOf(eventApplications))
export class EventApplicationsController extends ResourceController(eventApplications, options) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: EventApplicationsService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(eventApplications))
export class EventApplicationStateController extends StateRoutes(eventApplications, 'process_state', 'confirmed') {}

@Controller(pathsOf(eventApplications))
export class EventApplicationHistoryController extends HistoryRoutes(eventApplications, 'application') {}

@Controller(pathsOf(eventApplications))
export class EventApplicationFeedController extends HistoryFeedRoutes(eventApplications, 'application') {}
