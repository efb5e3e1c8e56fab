import {
  DATAPATH_USES,
  datapathRoots,
  listDatapaths,
  objectModel,
  readCatalogueItems,
  type RunQuery,
  withClosedValues,
} from '@ats/domain';
import { linkHeader } from '@ats/pagination';
import { Database } from '@ats/postgres';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendPage } from '../request/answer.js';
import { publicUrl, queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { allows } from '../vocabulary/scopes.js';
import { DATAPATHS_PARAMETERS, readDatapathsRequest } from './datapaths-parameters.js';

const DATAPATH_SCHEMA = {
  name: 'datapath',
  schema: strictObject({
    path: { type: 'string', description: 'The datapath, including the root.' },
    root: { type: 'string', enum: datapathRoots(), description: 'The object type with which the datapath begins.' },
    type: {
      type: 'string',
      enum: ['integer', 'decimal', 'text', 'rich_text', 'boolean', 'date', 'datetime', 'reference', 'formdata'],
      description:
        '`reference` leads to a related object, `formdata` to form values. To list what is below, send it as `prefix`.',
    },
    is_many: { type: 'boolean', description: 'True when the datapath has any number of values.' },
    target: {
      type: ['string', 'null'],
      enum: [...objectModel.types.map(({ name }) => name), null],
      description: 'The object type of a related object, else null.',
    },
    label: {
      type: ['string', 'null'],
      description: `A readable name. The label of a form item is in the language of the answer, and null without the scope
\`forms:read\`. Other labels are English.`,
    },
    description: { type: ['string', 'null'], description: 'A description in English.' },
    scopes: { type: 'array', items: { type: 'string' }, description: 'The scopes that using the datapath needs.' },
    used_in: {
      type: 'array',
      items: { type: 'string', enum: DATAPATH_USES },
      description: `Where the datapath can be used. \`filter\` means that the text filter of a collection searches it, and
\`templates\` that a placeholder may name it.`,
    },
    values: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'All values that the datapath can have. Null when they are not limited.',
    },
  }),
};

/**
 * Serves the datapaths of the object model. A credential needs no scope, because the model contains no stored values.
 * Only labels and options of form items need `forms:read`.
 * Source: docs/reference/datapaths.md, "Catalogue".
 */
@Controller('api/v1/datapaths')
export class DatapathsController {
  constructor(private readonly database: Database) {}

  @Get()
  @ReadsQuery()
  @Operation({
    tag: 'reference',
    summary: 'List datapaths',
    description:
      'The datapaths that searches, expressions, layouts and templates can use. Any credential may read them.',
    query: DATAPATHS_PARAMETERS,
    answer: {
      status: 200,
      description: 'One page of datapaths.',
      schema: { ...DATAPATH_SCHEMA, isList: true },
      headers: ['Link', 'X-Total-Count'],
    },
  })
  async list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() { actor, settings }: RequestContext,
  ): Promise<void> {
    const { roots, prefix, text, page, perPage } = readDatapathsRequest(queryOf(request));
    const run: RunQuery = (statement, parameters) => this.database.reading.query({ text: statement, parameters });
    const needsItems = text !== undefined || prefix.includes('formdata');
    const items = needsItems ? await readCatalogueItems(run, settings, allows(actor.scopes, 'forms:read')) : [];
    const all = roots.flatMap((root) => listDatapaths({ root, prefix, text, items }));
    const shown = await withClosedValues(run, all.slice((page - 1) * perPage, page * perPage));
    const url = publicUrl(request, settings.baseUrl);
    void reply.headers({
      link: linkHeader({ url, page, perPage, total: all.length }),
      'x-total-count': String(all.length),
    });
    sendPage(reply, Buffer.from(JSON.stringify(shown)));
  }
}
