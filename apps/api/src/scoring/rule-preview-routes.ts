import { type Resource, validateScoringRules, ValidationError } from '@ats/domain';
import { Body, Injectable, Param, Post, Res, type Type } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { OBJECT_PREVIEW_ANSWER, objectPreviewSchema, ObjectPreviews } from '../collections/object-previews.js';
import { programQuery } from '../collections/collection-parameters.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';

/**
 * Shows which applications to an opportunity the condition of a scoring rule matches now, at
 * `/<id>/scoring_rules/preview`.
 * Source: docs/reference/scoring.md, "Preview".
 * @param applications  the resource whose items the rules score
 */
export function RulePreviewRoutes(resource: Resource, applications: Resource): Type<RulePreviewRoutesBase> {
  class Routes extends RulePreviewRoutesBase {
    @Post(':id/scoring_rules/preview')
    @RequiresScope(`${resource.scope}:write`)
    @Operation({
      tag: resource.name,
      action: 'preview_scoring_rules',
      summary: `Preview a scoring rule of ${oneOf(resource)}`,
      description: `Shows which applications would get the points of a rule with this expression.`,
      body: {
        name: 'object_preview_request',
        schema: objectPreviewSchema,
        example: { expression: 'application.source == "referral"', limit: 5 },
      },
      answer: OBJECT_PREVIEW_ANSWER,
    })
    async preview(
      @Param('id', ItemId) id: number,
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      await this.reader.mustExist(resource, id);
      const { expression, limit } = await this.#bodyOf(given);
      const among = [programQuery(applications, [`opportunity.id=${id}`])];
      const { leadsTo = {} } = applications;
      const request = { resource: resource.name, source: applications, leadsTo, among, expression, limit };
      await this.previews.send(reply, request, context);
    }

    async #bodyOf(given: unknown) {
      const body = checkBody(objectPreviewSchema, given);
      const { expression } = (given ?? {}) as { readonly expression?: unknown };
      const rules = [{ expression, points: 0 }];
      const isRule = typeof expression === 'string' && expression.trim() !== '';
      const { violations } = isRule
        ? await validateScoringRules(this.previews.run, { scoring_rules: rules })
        : { violations: [] };
      const all = [
        ...(body.violations ?? []),
        ...violations.map((violation) => ({ ...violation, path: '/expression' })),
      ];
      if (body.violations || all.length > 0) throw new ValidationError(resource.name, all);
      return body.data;
    }
  }
  return Routes;
}

@Injectable()
export class RulePreviewRoutesBase {
  constructor(
    protected readonly reader: ResourceReader,
    protected readonly previews: ObjectPreviews,
  ) {}
}
