import {
  lockObject,
  readItem,
  representationSchema,
  type Resource,
  scoreApplication,
  scoreApplicationsOf,
  ValidationError,
  type ValidationFault,
} from '@ats/domain';
import { Body, Injectable, Param, Post, Res, type Type } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { done, sendAnswer } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { scorePart, scorePartSchema, scoreSchema } from './score.dto.js';

const givenOrNothing = (given: unknown): unknown => (given === undefined ? {} : given);

/** Computes the score of one application anew, at `/<id>/score`. Source: CONTRACT.md 5, `copy`. */
export function ScoreRoutes(resource: Resource): Type<ScoreRoutesBase> {
  class Routes extends ScoreRoutesBase {
    @Post(':id/score')
    @RequiresScope('applications:write')
    @Operation({
      tag: resource.name,
      summary: `Score ${oneOf(resource)}`,
      description:
        'Computes `score` anew: the sum of the points of the opportunity’s `scoring_rules` whose condition holds now, null when it has none. A score that stays changes nothing; one that changes stands in the history.',
      body: { name: 'score', schema: scoreSchema, example: {}, isOptional: true },
      answer: {
        status: 200,
        description: 'The item as it is now.',
        schema: { name: resource.name, schema: representationSchema(resource) },
        headers: ['ETag'],
      },
    })
    async score(
      @Param('id', ItemId) id: number,
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const { faults } = checkBody(scoreSchema, givenOrNothing(given));
      if (faults) return this.refuse(resource, id, faults);
      const answer = await this.unitOfWork.answer(context, async (work) => {
        await scoreApplication(work.transaction, resource, id, work);
        return done({ body: await readItem(work.transaction, resource, id, work.settings) });
      });
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

const SCORED_SCHEMA = {
  name: 'scored',
  schema: {
    type: 'object',
    properties: {
      scored: { description: 'How many applications were scored.', type: 'integer' },
      changed: { description: 'How many of them have another score than before.', type: 'integer' },
      next_after_id: {
        description: 'The `after_id` of the call that goes on; null when all are scored.',
        type: ['integer', 'null'],
      },
    },
    required: ['scored', 'changed', 'next_after_id'],
    additionalProperties: false,
  },
} as const;

/** The same for the applications to an opportunity, part by part. */
export function ScorePartRoutes(resource: Resource): Type<ScoreRoutesBase> {
  class Routes extends ScoreRoutesBase {
    @Post(':id/score')
    @RequiresScope('applications:write')
    @Operation({
      tag: resource.name,
      summary: `Score the applications to ${oneOf(resource)}`,
      description: `After a change of \`scoring_rules\`: computes the scores of its applications anew, in whatever state they are, in the order of their ids. One call does
a part of them, as a whole or not at all; go on with \`after_id\` until \`next_after_id\` is null. It does no harm to begin anew.`,
      body: { name: 'score_part', schema: scorePartSchema, example: { limit: 500 }, isOptional: true },
      answer: {
        status: 200,
        description: 'What was done, and where to go on.',
        schema: SCORED_SCHEMA,
        headers: ['ETag'],
      },
    })
    async score(
      @Param('id', ItemId) opportunityId: number,
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = checkBody(scorePartSchema, givenOrNothing(given));
      if (body.faults) return this.refuse(resource, opportunityId, body.faults);
      const part = { opportunityId, ...scorePart(body.data) };
      const answer = await this.unitOfWork.answer(context, async (work) => {
        await lockObject(work.transaction, resource, opportunityId, 'KEY SHARE');
        const { scored, changed, nextAfterId } = await scoreApplicationsOf(work.transaction, part, work);
        return done({ body: JSON.stringify({ scored, changed, next_after_id: nextAfterId }) });
      });
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

@Injectable()
export class ScoreRoutesBase {
  constructor(
    protected readonly reader: ResourceReader,
    protected readonly unitOfWork: UnitOfWork,
  ) {}

  /** 404 takes precedence over 422. */
  protected async refuse(resource: Resource, id: number, faults: readonly ValidationFault[]): Promise<never> {
    await this.reader.mustExist(resource, id);
    throw new ValidationError(resource.name, faults);
  }
}
