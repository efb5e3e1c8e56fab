import { moveState, readItem, representationSchema, STATE_ERROR_CODES, type Resource } from '@ats/domain';
import { Body, Get, Headers, Injectable, Param, Put, Res, type Type } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { sendItem } from '../request/answer.js';
import { parseBodyWith } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { STATE_SCHEMA, stateMoveSchema, targetOf } from './state.dto.js';
import { StatesService } from './states.service.js';

/**
 * Reads and moves the state of an item, at `/<id>/<segment>`.
 * @param exampleState  key of a target state, for the example in the OpenAPI document
 * Source: docs/reference/states.md, "Moves".
 */
export function StateRoutes(
  resource: Resource,
  segment: 'state' | 'process_state',
  exampleState: string,
): Type<StateRoutesBase> {
  const one = oneOf(resource);
  const tag = resource.name;

  class Routes extends StateRoutesBase {
    @Get(`:id/${segment}`)
    @RequiresScope(`${resource.scope}:read`)
    @Operation({
      tag,
      summary: `Read the state of ${one}`,
      answer: {
        status: 200,
        description: 'The present state, and the states that may follow.',
        schema: STATE_SCHEMA,
        headers: ['ETag'],
      },
    })
    async read(
      @Param('id', ItemId) id: number,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      sendItem(reply, await this.states.read(resource, id, context.settings));
    }

    @Put(`:id/${segment}`)
    @RequiresScope(`${resource.scope}:move`)
    @Operation({
      tag,
      action: 'move',
      summary: `Move ${one} to another state`,
      description: `Name the target by \`state\` or by \`state_id\`. With \`from_state\`, the move is refused when the
item is in another state than \`from_state\`. A move to the present state succeeds and changes nothing.`,
      body: {
        name: 'state_move',
        schema: stateMoveSchema,
        example: { state: exampleState, comment: 'As agreed by phone.' },
      },
      errorCodes: STATE_ERROR_CODES,
      answer: {
        status: 200,
        description: 'The item after the move.',
        schema: { name: resource.name, schema: representationSchema(resource) },
        headers: ['ETag'],
      },
    })
    async move(
      @Param('id', ItemId) id: number,
      @Body() given: unknown,
      @Headers('if-match') ifMatch: string | undefined,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      await this.reader.mustExist(resource, id);
      const body = await parseBodyWith(resource.name, stateMoveSchema, given, (invalid) =>
        this.unitOfWork.run(context, (work) => this.states.violations(work, resource, id, invalid)),
      );
      const locked = (work: Work): Promise<readonly string[]> => this.states.locked(work, resource, id);
      const text = await this.unitOfWork.write(context, { ifMatch, locked }, async (work) => {
        const { transaction, recruiterId, settings } = work;
        const move = {
          id,
          target: targetOf(body),
          recruiterId,
          ...(typeof body.from_state === 'string' && { fromState: body.from_state }),
          ...(body.comment !== undefined && { comment: body.comment }),
        };
        await moveState(transaction, resource, move, settings);
        return readItem(transaction, resource, id, settings);
      });
      sendItem(reply, text);
    }
  }
  return Routes;
}

@Injectable()
export class StateRoutesBase {
  constructor(
    protected readonly reader: ResourceReader,
    protected readonly unitOfWork: UnitOfWork,
    protected readonly states: StatesService,
  ) {}
}
