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
import { codesOf, oneOf, Operation, strictObject } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { FormValuesService } from './form-values.service.js';

const formValues = {
  type: 'array',
  items: strictObject(
    {
      item_id: { type: 'integer' },
      section_instance: { type: 'integer', minimum: 1 },
      form_instance: { type: 'integer', minimum: 1 },
      value: {
        description:
          'The value, in the type of the form item. A `single_select` has the `value` of the chosen option, a ' +
          '`multi_select` a list of them.',
      },
      value_raw: { description: 'Only for selects: the id of the option, or a list of ids.' },
    },
    ['value_raw'],
  ),
} as const;

/** The answer of `GET …/form_values`. Source: docs/reference/forms.md, "Form values". */
const FORM_VALUES_SCHEMA = { name: 'form_values', schema: strictObject({ form_values: formValues }) };

const BULK_FORM_VALUES_SCHEMA = {
  name: 'bulk_form_values',
  schema: strictObject({
    items: { type: 'array', items: strictObject({ id: { type: 'integer' }, form_values: formValues }) },
  }),
};

const ATOMIC = `The request is atomic: all values are stored, or none. One answer reports all violations. Visibility
conditions and required form items are checked with the values that apply after the request.`;
const EXAMPLE = [
  { item_id: 21, value: 'text' },
  { item_id: 22, section_instance: 2, value: null },
];

/**
 * Makes the routes of the form values of one item, at `/<id>/form_values`.
 * Source: docs/reference/forms.md, "Form values".
 */
export function FormValuesRoutes(resource: Resource): Type<FormValuesRoutesBase> {
  const one = oneOf(resource);
  const tag = resource.name;

  class Routes extends FormValuesRoutesBase {
    @Get(':id/form_values')
    @RequiresScope(`${resource.scope}:read`)
    @ReadsQuery()
    @Operation({
      tag,
      summary: `Read the form values of ${one}`,
      query: [RICH_TEXT_PARAMETER],
      answer: {
        status: 200,
        description: 'All stored values, in the order of the forms.',
        schema: FORM_VALUES_SCHEMA,
        itemOf: resource.name,
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
    @RequiresScope(`${resource.scope}:write`)
    @ReadsQuery()
    @Operation({
      tag,
      action: 'write_form_values',
      summary: `Write form values of ${one}`,
      description: `Sets the values that the body names. \`null\` clears a value. Other values do not change.
${ATOMIC}`,
      query: [RICH_TEXT_PARAMETER],
      body: { name: 'form_values_write', schema: formValuesSchema, example: { form_values: EXAMPLE } },
      errorCodes: codesOf(resource, ['not_visible', 'anonymised']),
      answer: {
        status: 200,
        description: 'All values after the request.',
        schema: FORM_VALUES_SCHEMA,
        itemOf: resource.name,
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
      const { violations } = checkBody(formValuesSchema, body);
      const answer = await this.unitOfWork.answer(context, async (work) =>
        done({
          body: await this.values.write(work, resource, { id, body, violations, form }),
          people: await this.values.people(work, resource, [id]),
        }),
      );
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/**
 * Makes the routes of the form values of many items, at `/bulk_form_values`.
 * Source: docs/reference/forms.md, "Bulk writes".
 */
export function BulkFormValuesRoutes(resource: Resource): Type<FormValuesRoutesBase> {
  class Routes extends FormValuesRoutesBase {
    @Post('bulk_form_values')
    @RequiresScope(`${resource.scope}:write`)
    @ReadsQuery()
    @Operation({
      tag: resource.name,
      action: 'write_form_values_in_bulk',
      summary: `Write form values of many ${resource.name.replaceAll('_', ' ')}`,
      description: `${ATOMIC}

A request has at most 1,000 items with 1,000 values each. The limit of 1 MiB for a body is usually reached first: it
allows about 25 short values for each of 1,000 items.`,
      query: [RICH_TEXT_PARAMETER],
      body: {
        name: 'bulk_form_values_write',
        schema: bulkFormValuesSchema,
        example: { items: [{ id: 12, form_values: EXAMPLE }] },
      },
      errorCodes: codesOf(resource, ['not_visible', 'anonymised']),
      answer: {
        status: 200,
        description: 'All form values of the items after the request.',
        schema: BULK_FORM_VALUES_SCHEMA,
        itemOf: resource.name,
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
      const { violations } = checkBody(bulkFormValuesSchema, body);
      const answer = await this.unitOfWork.answer(context, async (work) =>
        done({
          body: await this.values.writeBulk(work, resource, { body, violations, form }),
          people: await this.values.people(work, resource, idsIn(body)),
        }),
      );
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/** Returns the item ids of a valid body. */
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
