import { applications, eventApplications, events, vacancies } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf } from '../collections/resource-controller.js';
import { RulePreviewRoutes } from './rule-preview-routes.js';
import { ScorePartRoutes, ScoreRoutes } from './score-routes.js';

@Controller(pathsOf(applications))
export class ApplicationScoreController extends ScoreRoutes(applications) {}

@Controller(pathsOf(eventApplications))
export class EventApplicationScoreController extends ScoreRoutes(eventApplications) {}

@Controller(pathsOf(vacancies))
export class VacancyScoresController extends ScorePartRoutes(vacancies) {}

@Controller(pathsOf(events))
export class EventScoresController extends ScorePartRoutes(events) {}

@Controller(pathsOf(vacancies))
export class VacancyRulePreviewController extends RulePreviewRoutes(vacancies, applications) {}

@Controller(pathsOf(events))
export class EventRulePreviewController extends RulePreviewRoutes(events, eventApplications) {}
