import { notificationTopics } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { TopicsService } from './topics.service.js';

@Controller(pathsOf(notificationTopics))
export class TopicsController extends ResourceController(notificationTopics, {
  verbs: ['create', 'replace', 'remove'],
  example: {
    type: 'STATE_CHANGE_APPLICATION',
    name: 'Applications to vacancy 12 that were withdrawn',
    expression: 'application.opportunity_id == 12 AND application.main_process_state.state.state == "withdrawn"',
  },
  notes: { remove: 'Also deletes the subscriptions of the topic and cancels their pending deliveries.' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: TopicsService) {
    super(reader, unitOfWork, writes);
  }
}
