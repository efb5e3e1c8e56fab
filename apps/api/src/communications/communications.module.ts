import { Module } from '@nestjs/common';
import {
  ApplicationCommsController,
  CommunicationsController,
  EventApplicationCommsController,
} from './communications.controller.js';
import { CommunicationsService } from './communications.service.js';

@Module({
  controllers: [CommunicationsController, ApplicationCommsController, EventApplicationCommsController],
  providers: [CommunicationsService],
})
export class CommunicationsModule {}
