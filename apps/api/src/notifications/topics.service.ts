import {
  createTopic,
  deleteTopic,
  type EventType,
  lockTopic,
  NotFoundError,
  notificationTopics,
  replaceTopic,
  runIn,
  type Topic,
  type TopicValues,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { ofAnother } from '../collections/owner.guard.js';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkScope, type Scope } from '../vocabulary/scopes.js';
import { ownerFor, ownerViolations } from './owners.js';
import { checkedExpression, checkTopicScopes, expressionViolations } from './topic-expression.js';

@Injectable()
export class TopicsService implements ResourceWrites {
  async create(work: Work, body: WriteBody): Promise<number> {
    return (await createTopic(work.transaction, await toTopic(work, body))).id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    const before = await this.#locked(work, id);
    await replaceTopic(work.transaction, id, await toTopic(work, body, before));
  }

  /** Returns the violations of the expression and the owner. The body may have other violations. */
  async violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    const before = ownId === undefined ? undefined : await this.#locked(work, ownId);
    const found = await ownerViolations(work, notificationTopics, given);
    if (before && isUnchanged(before, given)) return found;
    checkMayChange(work, before);
    return [...(await expressionViolations(runIn(work.transaction), given, ownId)), ...found];
  }

  /** Locks the topic index before the row, as every write to topics does, so that two writers cannot deadlock. */
  async lock(work: Work, id: number): Promise<void> {
    await this.#locked(work, id);
  }

  /**
   * Deletes a topic with its subscriptions.
   * @throws {Problem} 403 when another credential owns one of the subscriptions
   */
  async remove(work: Work, id: number): Promise<void> {
    await this.#locked(work, id);
    const others = await runStatement(
      work.transaction,
      'SELECT FROM notification_subscriptions WHERE topic_id = $1 AND owner_id <> $2 LIMIT 1',
      [id, work.credentialId],
    );
    const scope = notificationTopics.adminScope as Scope;
    if (others.length > 0) checkScope(work.scopes, scope, ofAnother(scope));
    await deleteTopic(work.transaction, id);
  }

  async #locked({ transaction }: Work, id: number): Promise<Topic> {
    const topic = await lockTopic(transaction, id);
    if (!topic) throw new NotFoundError('notification_topic', id);
    return topic;
  }
}

const isUnchanged = (before: Topic, { type, expression = null }: WriteBody): boolean =>
  before.type === type && before.expression === expression;

/**
 * Checks that the credential may read the expression that it replaces. Without the scopes, a client reads null instead
 * of the expression, and would delete the expression by writing null back.
 */
function checkMayChange(work: Work, before: Topic | undefined): void {
  if (before) checkTopicScopes(work.scopes, before, false);
}

/**
 * Checks a body and adds the datapaths of its expression. An unchanged expression needs no scopes.
 * @throws {ValidationError} with all violations of the expression, each with its position
 * @throws {Problem} 403 when the expression reads a resource that the credential may not read
 */
async function toTopic(work: Work, body: WriteBody, before?: Topic): Promise<TopicValues> {
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
  const isKept = before !== undefined && isUnchanged(before, { type, expression });
  if (!isKept) checkMayChange(work, before);
  const { datapaths } = isKept
    ? before
    : await checkedExpression(runIn(work.transaction), work.scopes, { type, expression, id: before?.id });
  const owner_id = await ownerFor(work, notificationTopics, body, before);
  return { type, name, description, expression, datapaths, ...(owner_id !== undefined && { owner_id }) };
}
