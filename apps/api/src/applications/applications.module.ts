import { Module } from '@nestjs/common';
import {
  ApplicationCopyController,
  ApplicationFeedController,
  ApplicationHistoryController,
  ApplicationStateController,
  ApplicationsController,
  EventApplicationCopyController,
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
    ApplicationCopyController,
    EventApplicationCopyController,
  ],
})
export class ApplicationsModule {}
