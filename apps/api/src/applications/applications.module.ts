import { Module } from '@nestjs/common';
import { CandidatesModule } from '../candidates/candidates.module.js';
import {
  ApplicationFeedController,
  ApplicationHistoryController,
  ApplicationStateController,
  ApplicationsController,
  EventApplicationFeedController,
  EventApplicationHistoryController,
  EventApplicationStateController,
  EventApplicationsController,
} from './applications.controller.js';
import { EventApplicationsService, VacancyApplicationsService } from './applications.service.js';

@Module({
  imports: [CandidatesModule],
  controllers: [
    ApplicationsController,
    ApplicationStateController,
    ApplicationHistoryController,
    ApplicationFeedController,
    EventApplicationsController,
    EventApplicationStateController,
    EventApplicationHistoryController,
    EventApplicationFeedController,
  ],
  providers: [VacancyApplicationsService, EventApplicationsService],
})
export class ApplicationsModule {}
