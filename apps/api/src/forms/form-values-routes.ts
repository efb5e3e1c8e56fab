import { bulkFormValuesSchema, formValuesSchema, type Resource } from '@ats/domain';
import { Body, Get, Injectable, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { readRichTextForm, RICH_TEXT_PARAMETER } from '../collections/rich-text-parameter.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { done, sendAnswer, sendItem } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { codesOf, oneOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope, type Scope } from '../vocabulary/scopes.js';
import { BULK_FORM_VALUES_SCHEMA, FORM_VALUES_SCHEMA } from './form-values-schema.js';
import { FormValuesService } from './form-values.service.js';

const ATOMIC =
  'It is done as a whole or not at all, and every fault is told. Conditions, and what is required, are judged on the values as they are afterwards, for the forms that the values belong to.';
const EXAMPLE = [
  { item_id: 21, value: 'text' },
  { item_id: 22, section_instance: 2, value: null },
];

/** The values of forms of a resource's items, at `/<id>/form_values`. Source: CONTRACT.md 5. */
export function FormValuesRoutes(resource: Resource): Type<FormValuesRoutesBase> {
  const one = oneOf(resource);
  const tag = resource.name;

  class Routes extends FormValuesRoutesBase {
    @Get(':id/form_values')
    @RequiresScope(`${resource.scope}:read` as Scope)
    @ReadsQuery()
    @Operation({
      tag,
      summary: `Read the form values of ${one}`,
      query: [RICH_TEXT_PARAMETER],
      answer: {
        status: 200,
        description: 'The values there are, in the order of their forms.',
        schema: FORM_VALUES_SCHEMA,
        headers: ['ETag'],
      },
    })
    async read(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const form = readRichTextForm(resource.name, queryOf(request), context);
      await this.reader.mustExist(resource, id);
      sendItem(reply, await this.values.read(resource, id, form));
    }

    @Post(':id/form_values')
    @RequiresScope(`${resource.scope}:write` as Scope)
    @ReadsQuery()
    @Operation({
      tag,
      summary: `Write form values of ${one}`,
      description: `Sets the values that the body names, and clears those that it names with null; others stay. ${ATOMIC}`,
      query: [RICH_TEXT_PARAMETER],
      body: { name: 'form_values_write', schema: formValuesSchema, example: { form_values: EXAMPLE } },
      errorCodes: codesOf(resource, ['not_visible', 'anonymised']),
      answer: {
        status: 200,
        description: 'All values as they are now.',
        schema: FORM_VALUES_SCHEMA,
        headers: ['ETag'],
      },
    })
    async write(
      @Param('id', ItemId) id: number,
      @Body() body: unknown,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const form = readRichTextForm(resource.name, queryOf(request), context);
      const { faults } = checkBody(formValuesSchema, body);
      const answer = await this.unitOfWork.answer(context, async (work) =>
        done({
          body: await this.values.write(work, resource, { id, body, faults, form }),
          people: await this.values.people(work, resource, [id]),
        }),
      );
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/** The same for many items at once, at `/bulk_form_values`. */
export function BulkFormValuesRoutes(resource: Resource): Type<FormValuesRoutesBase> {
  class Routes extends FormValuesRoutesBase {
    @Post('bulk_form_values')
    @RequiresScope(`${resource.scope}:write` as Scope)
    @ReadsQuery()
    @Operation({
      tag: resource.name,
      summary: `Write form values of many ${resource.name.replaceAll('_', ' ')}`,
      description: `${ATOMIC} Up to 1,000 items with 1,000 values each; a body of 1 MiB, which is the most, holds about 25 short values for each of a thousand.`,
      query: [RICH_TEXT_PARAMETER],
      body: {
        name: 'bulk_form_values_write',
        schema: bulkFormValuesSchema,
        example: { items: [{ id: 12, form_values: EXAMPLE }] },
      },
      errorCodes: codesOf(resource, ['not_visible', 'anonymised']),
      answer: {
        status: 200,
        description: 'All values of these items as they are now.',
        schema: BULK_FORM_VALUES_SCHEMA,
        headers: ['ETag'],
      },
    })
    async write(
      @Body() body: unknown,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const form = readRichTextForm(resource.name, queryOf(request), context);
      const { faults } = checkBody(bulkFormValuesSchema, body);
      const answer = await this.unitOfWork.answer(context, async (work) =>
        done({
          body: await this.values.writeBulk(work, resource, { body, faults, form }),
          people: await this.values.people(work, resource, idsIn(body)),
        }),
      );
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/** Of a body that has been checked. */
const idsIn = (body: unknown): readonly number[] =>
  (body as { readonly items: readonly { readonly id: number }[] }).items.map(({ id }) => id);

@Injectable()
export class FormValuesRoutesBase {
  constructor(
    protected readonly reader: ResourceReader,
    protected readonly unitOfWork: UnitOfWork,
    protected readonly values: FormValuesService,
  ) {}
}
