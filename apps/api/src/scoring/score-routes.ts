import {
  lockObject,
  readItem,
  representationSchema,
  type Resource,
  scoreApplication,
  scoreApplicationsOf,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { Body, Injectable, Param, Post, Res, type Type } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { done, sendAnswer } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation, strictObject } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { scorePart, scorePartSchema, scoreSchema } from './score.dto.js';

const givenOrEmpty = (given: unknown): unknown => (given === undefined ? {} : given);

/** Scores one application, at `/<id>/score`. Source: docs/reference/scoring.md, "Scores". */
export function ScoreRoutes(resource: Resource): Type<ScoreRoutesBase> {
  class Routes extends ScoreRoutesBase {
    @Post(':id/score')
    @RequiresScope('applications:write')
    @Operation({
      tag: resource.name,
      summary: `Score ${oneOf(resource)}`,
      description: `Computes \`score\` again: the sum of the points of all \`scoring_rules\` of the opportunity whose
condition holds now. The score is null when the opportunity has no rules. A changed score adds an entry to the history;
an unchanged score changes nothing.`,
      body: { name: 'score', schema: scoreSchema, example: {}, isOptional: true },
      answer: {
        status: 200,
        description: 'The application with its score.',
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
      const { violations } = checkBody(scoreSchema, givenOrEmpty(given));
      if (violations) return this.refuse(resource, id, violations);
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
  schema: strictObject({
    scored: { description: 'Number of applications that were scored.', type: 'integer' },
    changed: { description: 'Number of applications whose score changed.', type: 'integer' },
    next_after_id: {
      description: 'The `after_id` of the next request. Null when all applications are scored.',
      type: ['integer', 'null'],
    },
  }),
} as const;

/**
 * Scores the applications to an opportunity in parts, at `/<id>/score`.
 * Source: docs/reference/scoring.md, "Scores".
 */
export function ScorePartRoutes(resource: Resource): Type<ScoreRoutesBase> {
  class Routes extends ScoreRoutesBase {
    @Post(':id/score')
    @RequiresScope('applications:write')
    @Operation({
      tag: resource.name,
      summary: `Score the applications to ${oneOf(resource)}`,
      description: `Computes the scores of all applications again, whatever their state, in the order of their ids. Use
this operation after a change of \`scoring_rules\`.

One request scores a part of the applications: all scores of the part are stored, or none. Repeat the request with the
\`next_after_id\` of the answer as \`after_id\`, until \`next_after_id\` is null. You may start again from the first
application at any time.`,
      body: { name: 'score_part', schema: scorePartSchema, example: { limit: 500 }, isOptional: true },
      answer: {
        status: 200,
        description: 'The result of this part, and the id after which the next part starts.',
        schema: SCORED_SCHEMA,
        headers: ['ETag'],
        alwaysShown: ['scored', 'changed', 'next_after_id'],
      },
    })
    async score(
      @Param('id', ItemId) opportunityId: number,
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = checkBody(scorePartSchema, givenOrEmpty(given));
      if (body.violations) return this.refuse(resource, opportunityId, body.violations);
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

  /** Throws the violations. When the item does not exist, throws 404 instead of 422. */
  protected async refuse(resource: Resource, id: number, violations: readonly Violation[]): Promise<never> {
    await this.reader.mustExist(resource, id);
    throw new ValidationError(resource.name, violations);
  }
}
