import { events, vacancies } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { HistoryRoutes } from '../history/history-routes.js';
import { StateRoutes } from '../states/state-routes.js';
import { EventsService, VacanciesService } from './opportunities.service.js';
import { eventSchema, vacancySchema } from './opportunity.dto.js';

@Controller(pathsOf(vacancies))
export class VacanciesController extends ResourceController(vacancies, {
  verbs: ['create', 'replace', 'remove'],
  schema: vacancySchema,
  example: {
    title: 'Software engineer',
    description: '<p>You build the analytical engine.</p>',
    location: 'London',
    closing_date: '2027-01-31',
    openings: 2,
    salary_min: 60000,
    salary_currency: 'GBP',
    scoring_rules: [
      { expression: 'application.source == "referral"', points: 2.5 },
      { expression: 'application.days_in_state > 30', points: -1 },
    ],
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: VacanciesService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(vacancies))
export class VacancyStateController extends StateRoutes(vacancies, 'state', 'open') {}

@Controller(pathsOf(vacancies))
export class VacancyHistoryController extends HistoryRoutes(vacancies, 'opportunity') {}

@Controller(pathsOf(events))
export class EventsController extends ResourceController(events, {
  verbs: ['create', 'replace', 'remove'],
  schema: eventSchema,
  example: {
    title: 'Open day',
    start_dt: '2027-05-01T09:00:00.000Z',
    end_dt: '2027-05-01T17:00:00.000Z',
    venue: 'Main hall',
    capacity: 200,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: EventsService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(events))
export class EventStateController extends StateRoutes(events, 'state', 'open') {}

@Controller(pathsOf(events))
export class EventHistoryController extends HistoryRoutes(events, 'opportunity') {}
