import { DatapathError, formatFault } from '@ats/datapath';
import {
  checkTopicExpression,
  createTopic,
  deleteTopic,
  EVENT_ROOTS,
  EVENT_TYPES,
  type EventType,
  lockTopic,
  NotFoundError,
  notificationTopics,
  replaceTopic,
  type TopicValues,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { checkDatapathScopes } from '../http/scopes.js';
import { type ResourceWrites } from '../http/resource-controller.js';
import { type Work } from '../http/unit-of-work.js';

@Injectable()
export class TopicsService implements ResourceWrites {
  async create({ transaction, scopes }: Work, body: WriteBody): Promise<number> {
    return (await createTopic(transaction, toTopic(body, scopes))).id;
  }

  async replace({ transaction, scopes }: Work, id: number, body: WriteBody): Promise<void> {
    if (!(await replaceTopic(transaction, id, toTopic(body, scopes)))) throw new NotFoundError('notification_topic', id);
  }

  /** Of the expression, whatever else is wrong with the body. */
  faults(_work: Work, { type, expression }: WriteBody): Promise<readonly ValidationFault[]> {
    const isJudgeable = EVENT_TYPES.some((known) => known === type) && typeof expression === 'string';
    return Promise.resolve(isJudgeable ? expressionFaults(type as EventType, expression) : []);
  }

  /** Like every write to topics, in the order that keeps two of them from waiting for each other. */
  async lock({ transaction }: Work, id: number): Promise<void> {
    if (!(await lockTopic(transaction, id))) throw new NotFoundError('notification_topic', id);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    if (!(await deleteTopic(transaction, id))) throw new NotFoundError('notification_topic', id);
  }
}

/**
 * @throws {ValidationError} with every fault of the expression, each with its place. CONTRACT.md 6.
 * @throws {Problem} 403 when it looks at what its writer may not read
 */
function toTopic(body: WriteBody, scopes: ReadonlySet<string>): TopicValues {
  const { type, name, description = null, expression = null } = body as unknown as {
    readonly type: EventType;
    readonly name: string;
    readonly description?: string | null;
    readonly expression?: string | null;
  };
  const faults = expressionFaults(type, expression);
  if (faults.length > 0) throw new ValidationError(notificationTopics.name, faults);
  const { datapaths } = checkTopicExpression(type, expression);
  const root = EVENT_ROOTS[type];
  checkDatapathScopes(scopes, root, datapaths.map((datapath) => datapath.slice(root.length + 1)));
  return { type, name, description, expression, datapaths };
}

/** Every fault of an expression, each with its place. */
function expressionFaults(type: EventType, expression: string | null): readonly ValidationFault[] {
  try {
    checkTopicExpression(type, expression);
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.faults.map((fault) => ({ path: '/expression', code: 'invalid', info: formatFault(fault) }));
  }
}
