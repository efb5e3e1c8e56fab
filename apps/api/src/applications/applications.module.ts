import { Module } from '@nestjs/common';
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

@Module({
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
})
export class ApplicationsModule {}
