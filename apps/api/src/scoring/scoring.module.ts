import { applications, eventApplications, events, vacancies } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf } from '../collections/resource-controller.js';
import { ScorePartRoutes, ScoreRoutes } from './score-routes.js';

@Controller(pathsOf(applications))
class ApplicationScoreController extends ScoreRoutes(applications) {}

@Controller(pathsOf(eventApplications))
class EventApplicationScoreController extends ScoreRoutes(eventApplications) {}

@Controller(pathsOf(vacancies))
class VacancyScoresController extends ScorePartRoutes(vacancies) {}

@Controller(pathsOf(events))
class EventScoresController extends ScorePartRoutes(events) {}

@Module({
  controllers: [
    ApplicationScoreController,
    EventApplicationScoreController,
    VacancyScoresController,
    EventScoresController,
  ],
})
export class ScoringModule {}
