import { Module } from '@nestjs/common';
import { FeedsModule } from '../feeds/feeds.module.js';
import { ClientCertificatesController } from './client-certificates.controller.js';
import { ClientCertificatesService } from './client-certificates.service.js';
import { DeliveriesController } from './deliveries.controller.js';
import { Destinations } from './destinations.js';
import { EndpointActionsController } from './endpoint-actions.controller.js';
import { EndpointFeedController } from './endpoint-feed.controller.js';
import { EndpointFeedService } from './endpoint-feed.service.js';
import { EndpointMetricsController } from './endpoint-metrics.controller.js';
import { EndpointTopics } from './endpoint-topics.js';
import { EndpointWatch } from './endpoint-watch.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsService } from './endpoints.service.js';
import { ExplanationsController } from './explanations.controller.js';
import { ExplanationsService } from './explanations.service.js';
import { MessagesController } from './messages.controller.js';
import { NotificationEventsController } from './notification-events.controller.js';
import { PingController } from './ping.controller.js';
import { Pings } from './pings.js';
import { RedeliveriesController } from './redeliveries.controller.js';
import { ShownHealth } from './shown-health.js';
import { ShownKeys } from './shown-keys.js';
import { SubscriptionActionsController } from './subscription-actions.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { TopicsController } from './topics.controller.js';
import { TopicsService } from './topics.service.js';

@Module({
  imports: [FeedsModule],
  controllers: [
    ExplanationsController,
    TopicsController,
    SubscriptionsController,
    EndpointsController,
    EndpointActionsController,
    ClientCertificatesController,
    EndpointFeedController,
    EndpointMetricsController,
    SubscriptionActionsController,
    PingController,
    DeliveriesController,
    RedeliveriesController,
    MessagesController,
    NotificationEventsController,
  ],
  providers: [
    TopicsService,
    ExplanationsService,
    SubscriptionsService,
    EndpointFeedService,
    EndpointTopics,
    EndpointWatch,
    EndpointsService,
    ClientCertificatesService,
    Pings,
    ShownKeys,
    ShownHealth,
    Destinations,
  ],
})
export class NotificationsModule {}
