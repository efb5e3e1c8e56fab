import { notificationTopics } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { DeliveriesController } from './deliveries.controller.js';
import { Destinations } from './destinations.js';
import { ExplanationsController } from './explanations.controller.js';
import { ExplanationsService } from './explanations.service.js';
import { MessagesController } from './messages.controller.js';
import { NotificationEventsController } from './notification-events.controller.js';
import { PingController } from './ping.controller.js';
import { RedeliveriesController } from './redeliveries.controller.js';
import { ShownSubscription } from './shown-subscription.js';
import { SubscriptionActionsController } from './subscription-actions.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { TopicsService } from './topics.service.js';

@Controller(pathsOf(notificationTopics))
class TopicsController extends ResourceController(notificationTopics, {
  verbs: ['create', 'replace', 'remove'],
  example: {
    type: 'STATE_CHANGE_APPLICATION',
    name: 'Applications to vacancy 12 that were withdrawn',
    expression: 'application.opportunity_id == 12 AND application.main_process_state.state.state == "withdrawn"',
  },
  notes: { remove: 'Its subscriptions go with it, and what they had not sent yet.' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: TopicsService) {
    super(reader, unitOfWork, writes);
  }
}

@Module({
  controllers: [
    ExplanationsController,
    TopicsController,
    SubscriptionsController,
    SubscriptionActionsController,
    PingController,
    DeliveriesController,
    RedeliveriesController,
    MessagesController,
    NotificationEventsController,
  ],
  providers: [TopicsService, ExplanationsService, SubscriptionsService, ShownSubscription, Destinations],
})
export class NotificationsModule {}
