import {
  allResources,
  candidates,
  EVENT_ROOTS,
  type EventSubject,
  explainEvent,
  type Explanation,
  getObjectType,
  isPersonal,
  notificationDeliveries,
  notificationEvents,
  notificationTopics,
  type Preview,
  previewTopic,
  type RowSource,
  type RunQuery,
  type WriteBody,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ObjectPreviews } from '../collections/object-previews.js';
import { parseBodyWith } from '../request/body.js';
import { readIdParameter } from '../request/id-parameter.js';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { AuditLog } from '../audit/audit-log.js';
import { type RequestContext } from '../request/request-context.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { checkScope, type Scope } from '../vocabulary/scopes.js';
import { previewSchema, topicObjectsSchema, toPreviewBody } from './preview.dto.js';
import { checkedExpression, checkReadable, expressionViolations } from './topic-expression.js';

const RESOURCE = notificationTopics.name;

/** Previews and explains topics. Writes nothing. */
@Injectable()
export class ExplanationsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly previews: ObjectPreviews,
  ) {}

  /**
   * Previews a topic.
   * @throws {ValidationError} with all violations of the body and of the expression
   * @throws {Problem} 403 when the expression reads a resource that the credential may not read
   */
  async preview(
    given: unknown,
    context: RequestContext,
  ): Promise<{ readonly preview: Preview; readonly people: readonly number[] }> {
    const { actor, settings } = context;
    const run: RunQuery = (text, parameters) => this.database.reading.query({ text, parameters });
    const body = await parseBodyWith<WriteBody>(RESOURCE, previewSchema, given, (invalid) =>
      expressionViolations(run, invalid),
    );
    const { type, expression, limit } = toPreviewBody(body);
    const compiled = await checkedExpression(run, actor.scopes, { type, expression });
    checkReadable(actor.scopes, EVENT_ROOTS[type], [`${EVENT_ROOTS[type]}.id`]);
    const found = await previewTopic(this.database, { type, compiled, limit }, settings);
    const { people } = found;
    if (people.length > 0)
      this.audit.personalDataRead(context, { collection: candidates.name, itemIds: people, itemCount: people.length });
    return found;
  }

  /**
   * Sends the objects that an expression matches now.
   * @throws {ValidationError} with all violations of the body and of the expression
   * @throws {Problem} 400 when finding the objects takes too long; 403 when the credential lacks a scope
   */
  async sendObjects(given: unknown, reply: FastifyReply, context: RequestContext): Promise<void> {
    const { run } = this.previews;
    const { scopes } = context.actor;
    const body = await parseBodyWith(RESOURCE, topicObjectsSchema, given, (invalid) =>
      expressionViolations(run, invalid),
    );
    const { type, expression = null } = body;
    await checkedExpression(run, scopes, { type, expression });
    const source = subjectsOf(EVENT_ROOTS[type]);
    if (source.type === notificationDeliveries.type)
      checkScope(scopes, ALL, message`The credential lacks the scope ${ALL}, which ${type} needs`);
    await this.previews.send(reply, { ...body, resource: RESOURCE, source }, context);
  }

  /**
   * Explains why an event was or was not notified.
   * @throws {Problem} 400 for an invalid query; 403 when the credential lacks a read scope that the expression needs
   * @throws {NotFoundError} when the event does not exist
   */
  async explain(topicId: number, query: URLSearchParams, context: RequestContext): Promise<Explanation> {
    const { actor, settings } = context;
    const eventId = readEventId(query);
    const { explanation, root, datapaths } = await explainEvent(this.database, { topicId, eventId }, settings);
    checkReadable(actor.scopes, root, datapaths);
    if (datapaths.some(isPersonal))
      this.audit.personalDataRead(context, { collection: notificationEvents.name, itemIds: [eventId], itemCount: 1 });
    return explanation;
  }
}

/**
 * The scope that explanations with deliveries need. A delivery reveals that the expression of its topic matched, and
 * each topic needs other scopes.
 */
const ALL: Scope = '*:read';

/** Returns all objects that can be the subject of events, whatever their resource is. */
function subjectsOf(root: EventSubject): RowSource {
  const type = getObjectType(root);
  const { name } = allResources().find((one) => one.type.table === type.table) ?? notificationEvents;
  return { name, type, fixed: {} };
}

/** Reads the id of the event in a query. @throws {Problem} 400 with all violations of the query */
function readEventId(query: URLSearchParams): number {
  const violations: ProblemDetail[] = unknownParameters(RESOURCE, query, ['event_id']);
  const found = readIdParameter(query, 'event_id');
  if (found?.id !== undefined && violations.length === 0) return found.id;
  const violation = { resource: RESOURCE, path: '', parameter: 'event_id' };
  if (!found) violations.push({ ...violation, code: 'missing', info: message`expected the id of an event` });
  else if (found.violation !== undefined) violations.push({ ...violation, code: 'invalid', info: found.violation });
  throw invalidQuery(violations);
}
