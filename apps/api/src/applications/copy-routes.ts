import {
  copyApplication,
  copyViolations,
  idSchema,
  readItem,
  representationSchema,
  type Resource,
  resourceUrl,
  scoreApplication,
  ValidationError,
} from '@ats/domain';
import { Body, Injectable, Param, Post, Res, type Type } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { created, sendAnswer } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { codesOf, oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { copySchema } from './copy-application.dto.js';

/** Copies an application to another opportunity, at `/<id>/copy`. Source: docs/reference/scoring.md, "Copies". */
export function CopyRoutes(resource: Resource): Type<CopyRoutesBase> {
  class Routes extends CopyRoutesBase {
    @Post(':id/copy')
    @RequiresScope('applications:write')
    @Operation({
      tag: resource.name,
      summary: `Copy ${oneOf(resource)}`,
      description: `Creates an application of the same candidate for another opportunity of the same kind, in the first
state of its process. The original does not change, except for its history.

The copy gets \`source\`, \`tags\` and the values of forms that apply to both opportunities. It does not get the
posting, rating, score and dates.

The history of both applications has an entry \`copied\`. Its \`changes\` name the new application at \`/copied_to\` and
the original at \`/copied_from\`.`,
      body: { name: 'application_copy', schema: copySchema, example: { opp_id: 12, run_config_autoscoring: true } },
      errorCodes: codesOf(resource, ['opportunity_not_open', 'anonymised']),
      answer: {
        status: 201,
        description: 'The new application.',
        schema: { name: resource.name, schema: representationSchema(resource) },
        headers: ['Location', 'ETag'],
      },
    })
    async copy(
      @Param('id', ItemId) id: number,
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const checked = checkBody(copySchema, given);
      if (checked.violations) {
        const more = await this.unitOfWork.run(context, ({ transaction }) =>
          copyViolations(transaction, resource, { id, opportunityId: targetOf(given) }),
        );
        throw new ValidationError(resource.name, [...checked.violations, ...more]);
      }
      const { opp_id, run_config_autoscoring } = checked.data;
      const answer = await this.unitOfWork.answer(context, async (work) => {
        const { transaction, recruiterId, settings } = work;
        const copy = await copyApplication(transaction, resource, { id, opportunityId: opp_id, recruiterId, settings });
        if (run_config_autoscoring) await scoreApplication(transaction, resource, copy.id, work);
        const location = resourceUrl(settings.baseUrl, resource.paths[0], copy.id);
        return created(location, {
          body: await readItem(transaction, resource, copy.id, settings),
          people: [copy.userId],
        });
      });
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/** Returns the `opp_id` of an unchecked body. Undefined when it is not an id. */
const targetOf = (given: unknown): number | undefined =>
  typeof given === 'object' && given !== null
    ? idSchema.safeParse((given as { readonly opp_id?: unknown }).opp_id).data
    : undefined;

@Injectable()
export class CopyRoutesBase {
  constructor(protected readonly unitOfWork: UnitOfWork) {}
}
