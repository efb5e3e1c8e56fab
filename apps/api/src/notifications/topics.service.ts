import { DatapathError, formatFault } from '@ats/datapath';
import {
  checkTopicExpression,
  createTopic,
  deleteTopic,
  type DomainModel,
  EVENT_ROOTS,
  EVENT_TYPES,
  type EventType,
  lockTopic,
  modelForTexts,
  NotFoundError,
  notificationTopics,
  replaceTopic,
  runStatement,
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
  async create(work: Work, body: WriteBody): Promise<number> {
    return (await createTopic(work.transaction, await toTopic(work, body))).id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    if (!(await replaceTopic(work.transaction, id, await toTopic(work, body)))) throw new NotFoundError('notification_topic', id);
  }

  /** Of the expression, whatever else is wrong with the body. */
  async faults(work: Work, { type, expression }: WriteBody): Promise<readonly ValidationFault[]> {
    const isJudgeable = EVENT_TYPES.some((known) => known === type) && typeof expression === 'string';
    return isJudgeable ? expressionFaults(type as EventType, expression, await modelFor(work, expression)) : [];
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
async function toTopic(work: Work, body: WriteBody): Promise<TopicValues> {
  const { type, name, description = null, expression = null } = body as unknown as {
    readonly type: EventType;
    readonly name: string;
    readonly description?: string | null;
    readonly expression?: string | null;
  };
  const model = await modelFor(work, expression);
  const faults = expressionFaults(type, expression, model);
  if (faults.length > 0) throw new ValidationError(notificationTopics.name, faults);
  const { datapaths } = checkTopicExpression(type, expression, model);
  const root = EVENT_ROOTS[type];
  checkDatapathScopes(work.scopes, root, datapaths.map((datapath) => datapath.slice(root.length + 1)));
  return { type, name, description, expression, datapaths };
}

/** With the form items that the expression names. */
const modelFor = ({ transaction }: Work, expression: string | null): Promise<DomainModel> =>
  modelForTexts((text, parameters) => runStatement(transaction, text, parameters), expression === null ? [] : [expression]);

/** Every fault of an expression, each with its place. */
function expressionFaults(type: EventType, expression: string | null, model: DomainModel): readonly ValidationFault[] {
  try {
    checkTopicExpression(type, expression, model);
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.faults.map((fault) => ({ path: '/expression', code: 'invalid', info: formatFault(fault) }));
  }
}
