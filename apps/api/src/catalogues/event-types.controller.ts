import { EVENT_ROOTS, EVENT_TYPES, eventTypeText, exampleMessage, messageSchema, requiredScopes } from '@ats/domain';
import { Controller, Get, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendItem } from '../request/answer.js';
import { localisedJson } from '../request/localised-json.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, strictObject } from '../vocabulary/operation.js';

const scopes = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const EVENT_TYPE_SCHEMA = {
  name: 'event_type',
  schema: strictObject({
    type: { type: 'string', enum: EVENT_TYPES, description: 'The `type` of a topic.' },
    description: { type: 'string', description: 'The meaning in the language of the answer.' },
    root: {
      type: 'string',
      enum: [...new Set(Object.values(EVENT_ROOTS))],
      description: 'The object type of the subject. Datapaths in expressions of topics begin with this name.',
    },
    required_scopes: scopes('The scopes that creating a topic of this type needs.'),
    subject_scopes: scopes(
      'The scopes that reading the subject needs, and expressions with its own attributes. `/datapaths` has the ' +
        'scopes of each datapath.',
    ),
    payload_schema: { type: 'object', description: 'JSON Schema (2020-12) of the messages of this type.' },
    example: { type: 'object', description: 'An example of a message of this type.' },
  }),
};

/** Serves the event types. A credential needs no scope. Source: docs/reference/notifications.md, "Event types". */
@Controller('api/v1/event_types')
export class EventTypesController {
  @Get()
  @Operation({
    tag: 'reference',
    summary: 'List the event types',
    description: 'The event types of topics, each with the schema of its messages. Any credential may read them.',
    answer: {
      status: 200,
      description: 'All event types.',
      schema: { ...EVENT_TYPE_SCHEMA, isList: true },
      headers: ['ETag'],
    },
  })
  list(@Res() reply: FastifyReply, @Context() { settings }: RequestContext): void {
    const types = EVENT_TYPES.map((type) => ({
      type,
      description: eventTypeText(type),
      root: EVENT_ROOTS[type],
      required_scopes: ['notifications:create'],
      subject_scopes: requiredScopes(EVENT_ROOTS[type], 'id'),
      payload_schema: messageSchema(type, settings.baseUrl),
      example: exampleMessage(type, settings.baseUrl),
    }));
    sendItem(reply, localisedJson(types, settings.language));
  }
}
