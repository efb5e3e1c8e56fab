import { Module } from '@nestjs/common';
import {
  EventHistoryController,
  EventStateController,
  EventsController,
  VacanciesController,
  VacancyHistoryController,
  VacancyStateController,
} from './opportunities.controller.js';
import { EventsService, VacanciesService } from './opportunities.service.js';

@Module({
  controllers: [
    VacanciesController,
    VacancyStateController,
    VacancyHistoryController,
    EventsController,
    EventStateController,
    EventHistoryController,
  ],
  providers: [VacanciesService, EventsService],
})
export class OpportunitiesModule {}
