import {
  checkQuotas,
  type EventType,
  notificationEndpoints,
  notificationTopics,
  runIn,
  ValidationError,
  type Violation,
  writeSchema,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { type Work } from '../collections/unit-of-work.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { expressionViolations } from './topic-expression.js';
import { TopicsService } from './topics.service.js';

const MAX_TOPICS = 100;

const topicSchema = writeSchema(notificationTopics.type);
const optionalName = topicSchema.pick({ name: true }).partial().shape;

/** The schema of `topics` in the body of a new endpoint. */
export const endpointTopicsSchema = z
  .array(topicSchema.pick({ type: true, expression: true }).extend(optionalName))
  .max(MAX_TOPICS)
  .optional()
  .describe(
    'Topics to create with the endpoint, each with a subscription that begins now. `name` defaults to the type.',
  );

/** A topic in a valid body. */
export interface EndpointTopic {
  readonly type: EventType;
  readonly expression?: string | null;
  readonly name?: string;
}

/** Creates topics together with an endpoint. Source: docs/reference/notifications.md, "Topics of a new endpoint". */
@Injectable()
export class EndpointTopics {
  constructor(
    private readonly topics: TopicsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Returns the violations of the expressions in a body. The schema reports the other violations. */
  async violations(work: Work, given: unknown): Promise<readonly Violation[]> {
    const found: Violation[] = [];
    // Checks only as many topics as the schema allows. The schema refuses a longer list.
    const topics = Array.isArray(given) ? given.slice(0, MAX_TOPICS) : [];
    for (const [index, topic] of topics.entries())
      if (isJsonObject(topic)) found.push(...below(index, await expressionViolations(runIn(work.transaction), topic)));
    return found;
  }

  /**
   * Creates topics, each with a subscription of the endpoint.
   * @throws {ValidationError} with pointers into `/topics`
   * @throws {Problem} 403 when the credential lacks a scope of an expression
   */
  async create(work: Work, endpointId: number, topics: readonly EndpointTopic[]): Promise<void> {
    for (const [index, topic] of topics.entries())
      try {
        await checkQuotas(work.transaction, notificationTopics);
        const topicId = await this.topics.create(work, { name: topic.type, ...topic });
        await this.subscriptions.create(work, topicId, { start_dt: null, end_dt: null, endpoint_id: endpointId });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        throw new ValidationError(notificationEndpoints.name, below(index, error.violations));
      }
  }
}

const below = (index: number, violations: readonly Violation[]): readonly Violation[] =>
  violations.map((violation) => ({ ...violation, path: `/topics/${index}${violation.path}` }));
