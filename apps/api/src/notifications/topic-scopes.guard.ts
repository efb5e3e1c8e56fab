import { type EventType } from '@ats/domain';
import { Database } from '@ats/postgres';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyRequest } from 'fastify';
import { unauthorized } from '../request/context-builder.js';
import { checkTopicScopes } from './topic-expression.js';

const TOPIC_SCOPES = 'ats:topic_scopes';

/**
 * `expression` means that the answer or its effects depend on the present expression of the topic. `messages` means
 * that the answer shows subjects of events, and tells which events matched the present expression or an earlier one.
 */
type Shown = 'expression' | 'messages';

/** Reads the present expression of a topic, followed by its earlier expressions. */
const EXPRESSIONS = `SELECT type, datapaths FROM notification_topics WHERE id = $1
  UNION ALL SELECT type, datapaths FROM notification_topic_revisions WHERE $2 AND topic_id = $1`;

interface Row {
  readonly type: EventType;
  readonly datapaths: readonly string[];
}

/**
 * Checks that the credential has the scopes of the topic in the path.
 * Source: docs/reference/notifications.md, "Scopes".
 */
@Injectable()
export class TopicScopesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const shown = this.reflector.get<Shown>(TOPIC_SCOPES, host.getHandler());
    const { context, params, headers } = host.switchToHttp().getRequest<FastifyRequest>();
    if (!context) throw unauthorized(headers);
    const { topicId = '' } = params as { readonly topicId?: string };
    if (context.settings.readable === undefined || !/^[1-9]\d{0,14}$/.test(topicId)) return true;
    const rows = await this.database.query<Row>(EXPRESSIONS, [Number(topicId), shown === 'messages']);
    for (const row of rows) checkTopicScopes(context.actor.scopes, row, shown === 'messages');
    return true;
  }
}

/** Describes the needed scopes in the reference. */
export const EXPRESSION_SCOPES =
  'Needs the read scope of every resource that the expression of the topic reads, as creating the topic does.';
export const MESSAGE_SCOPES =
  'Needs the read scope of the subject, and of every resource that the expression of the topic reads or has read.';

/**
 * Makes a route below `:topicId` require the read scopes of the topic's datapaths. With `messages`, it also requires
 * those of the subject. The route answers 404 for a topic that does not exist.
 */
export const NeedsTopicScopes = (shown: Shown): MethodDecorator =>
  applyDecorators(SetMetadata(TOPIC_SCOPES, shown), UseGuards(TopicScopesGuard));
