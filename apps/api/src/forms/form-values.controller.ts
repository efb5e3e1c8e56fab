import { applications, eventApplications, events, vacancies } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf } from '../collections/resource-controller.js';
import { BulkFormValuesRoutes, FormValuesRoutes } from './form-values-routes.js';

// The controller of bulk writes comes first. Otherwise the controller of one item would read `bulk_form_values` as an
// id.
@Controller(pathsOf(applications))
class BulkApplicationValuesController extends BulkFormValuesRoutes(applications) {}

@Controller(pathsOf(applications))
class ApplicationValuesController extends FormValuesRoutes(applications) {}

@Controller(pathsOf(eventApplications))
class BulkEventApplicationValuesController extends BulkFormValuesRoutes(eventApplications) {}

@Controller(pathsOf(eventApplications))
class EventApplicationValuesController extends FormValuesRoutes(eventApplications) {}

@Controller(pathsOf(vacancies))
class BulkVacancyValuesController extends BulkFormValuesRoutes(vacancies) {}

@Controller(pathsOf(vacancies))
class VacancyValuesController extends FormValuesRoutes(vacancies) {}

@Controller(pathsOf(events))
class EventValuesController extends FormValuesRoutes(events) {}

export const FORM_VALUES_CONTROLLERS = [
  BulkApplicationValuesController,
  ApplicationValuesController,
  BulkEventApplicationValuesController,
  EventApplicationValuesController,
  BulkVacancyValuesController,
  VacancyValuesController,
  EventValuesController,
];
