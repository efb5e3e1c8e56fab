import {
  createTopic,
  deleteTopic,
  type EventType,
  lockTopic,
  NotFoundError,
  replaceTopic,
  runIn,
  type TopicValues,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkedExpression, expressionViolations } from './topic-expression.js';

@Injectable()
export class TopicsService implements ResourceWrites {
  async create(work: Work, body: WriteBody): Promise<number> {
    return (await createTopic(work.transaction, await toTopic(work, body))).id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    if (!(await replaceTopic(work.transaction, id, await toTopic(work, body, id))))
      throw new NotFoundError('notification_topic', id);
  }

  /** Returns the violations of the expression. The body may have other violations. */
  violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return expressionViolations(runIn(work.transaction), given, ownId);
  }

  /** Locks the topic index before the row, as every write to topics does, so that two writers cannot deadlock. */
  async lock({ transaction }: Work, id: number): Promise<void> {
    if (!(await lockTopic(transaction, id))) throw new NotFoundError('notification_topic', id);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    if (!(await deleteTopic(transaction, id))) throw new NotFoundError('notification_topic', id);
  }
}

/**
 * Checks a body and adds the datapaths of its expression.
 * @throws {ValidationError} with all violations of the expression, each with its position
 * @throws {Problem} 403 when the expression reads a resource that the credential may not read
 */
async function toTopic(work: Work, body: WriteBody, id?: number): Promise<TopicValues> {
  const {
    type,
    name,
    description = null,
    expression = null,
  } = body as unknown as {
    readonly type: EventType;
    readonly name: string;
    readonly description?: string | null;
    readonly expression?: string | null;
  };
  const { datapaths } = await checkedExpression(runIn(work.transaction), work.scopes, { type, expression, id });
  return { type, name, description, expression, datapaths };
}
