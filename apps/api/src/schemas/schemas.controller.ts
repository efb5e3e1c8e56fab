import { API_PREFIX, type JsonSchema, representationSchema } from '@ats/domain';
import { message } from '@ats/message';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendItem } from '../request/answer.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { Resources } from './resources.js';

const tag = 'reference';

const SCHEMA_OF_SCHEMAS: JsonSchema = {
  type: 'object',
  properties: {
    $schema: { const: 'https://json-schema.org/draft/2020-12/schema' },
    title: { type: 'string', description: 'Name of the resource.' },
    type: { const: 'object' },
    properties: { type: 'object', description: 'A schema for each field.' },
    required: {
      type: 'array',
      items: { type: 'string' },
      description: 'All fields but `layout_data`: what has no value is null.',
    },
    additionalProperties: { const: false },
    'x-error-codes': {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Codes of faults beyond the common ones, each with what it means.',
    },
    'x-relations': { type: 'object', description: 'What datapaths can follow.' },
  },
  required: [
    '$schema',
    'title',
    'type',
    'properties',
    'required',
    'additionalProperties',
    'x-error-codes',
    'x-relations',
  ],
  additionalProperties: false,
};

/** What the representations are made of: any credential may ask. Source: CONTRACT.md 5, `schemas`. */
@Controller('api/v1/schemas')
export class SchemasController {
  constructor(private readonly resources: Resources) {}

  @Get()
  @Operation({
    tag,
    summary: 'List the schemas of the resources',
    answer: {
      status: 200,
      description: 'Each resource with the address of its schema.',
      schema: {
        name: 'schemas',
        schema: {
          type: 'object',
          properties: { resource: { type: 'string' }, url: { type: 'string', format: 'uri' } },
          required: ['resource', 'url'],
          additionalProperties: false,
        },
        isList: true,
      },
    },
  })
  list(@Context() { settings }: RequestContext): readonly { readonly resource: string; readonly url: string }[] {
    return this.resources
      .all()
      .map(({ name }) => ({ resource: name, url: `${settings.baseUrl}${API_PREFIX}/schemas/${name}` }));
  }

  @Get(':resource')
  @Operation({
    tag,
    summary: 'Read the schema of a resource',
    description: `A JSON Schema (2020-12) of the representation. It says more of each attribute than the schema of this page:

- \`x-datapath\`: how expressions name it
- \`x-filterable\`, \`x-sortable\`: whether a text filter looks into it, and whether a collection can be in its order
- \`x-labels\`: the labels that elements of a list can have
- \`x-elements\`: the elements of HTML that stay in a rich text`,
    path: {
      resource: { description: 'Name of the resource, as the list of schemas has it.', schema: { type: 'string' } },
    },
    answer: {
      status: 200,
      description: 'The schema.',
      schema: { name: 'schema', schema: SCHEMA_OF_SCHEMAS },
      headers: ['ETag'],
    },
  })
  item(@Param('resource') name: string, @Res() reply: FastifyReply): void {
    const resource = this.resources.all().find((candidate) => candidate.name === name);
    if (!resource) throw new Problem(404, message`The schema ${JSON.stringify(name)} was not found`);
    // Part of the reference, which is written once.
    sendItem(reply.header('content-language', 'en'), JSON.stringify(representationSchema(resource)));
  }
}
