import { forms, getResource, NotFoundError, readFormCondition, replaceDatapaths, ValidationError } from '@ats/domain';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { programQuery } from '../collections/collection-parameters.js';
import { OBJECT_PREVIEW_ANSWER, objectPreviewSchema, ObjectPreviews } from '../collections/object-previews.js';
import { pathsOf } from '../collections/resource-controller.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';

/**
 * Shows which stored objects meet a condition of a form now. Source: docs/reference/forms.md, "Preview of conditions".
 */
@Controller(pathsOf(forms))
export class ConditionPreviewController {
  constructor(private readonly previews: ObjectPreviews) {}

  @Post(':id/conditions/preview')
  @RequiresScope('forms:write')
  @Operation({
    tag: forms.name,
    action: 'preview_conditions',
    summary: 'Preview a condition of a form',
    description: `Shows for which objects of the form an item with this \`visible_if\` is visible now. The condition
may name items of the form by key.`,
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
    const body = checkBody(objectPreviewSchema, given);
    const { expression: text } = (given ?? {}) as { readonly expression?: unknown };
    const condition = await readFormCondition(this.previews.run, id, typeof text === 'string' ? text : '');
    if (!condition) throw new NotFoundError(forms.type.name, id);
    const violations = condition.violations.map((info) => ({ path: '/expression', code: 'invalid' as const, info }));
    if (body.violations || violations.length > 0)
      throw new ValidationError(forms.name, [...(body.violations ?? []), ...violations]);
    const { opportunityIds, withId } = condition;
    const source = getResource(condition.resource);
    const key = condition.root === 'application' ? 'opportunity.id' : 'id';
    const among = opportunityIds.length > 0 ? [programQuery(source, [`${key}={${opportunityIds.join(',')}}`])] : [];
    await this.previews.send(
      reply,
      {
        resource: forms.name,
        source,
        leadsTo: source.leadsTo,
        among,
        ...body.data,
        rewrite: { expression: (one) => replaceDatapaths(one, withId), datapath: withId },
      },
      context,
    );
  }
}
