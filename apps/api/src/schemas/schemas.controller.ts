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
      description: 'All fields except `layout_data`. A field without a value is null.',
    },
    additionalProperties: { const: false },
    'x-error-codes': {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Error codes of this resource beyond the common ones, each with its meaning.',
    },
    'x-relations': { type: 'object', description: 'The relations that datapaths can follow.' },
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

/** Serves the schemas of the representations, without a scope. Source: docs/reference/resources.md, "Schemas". */
@Controller('api/v1/schemas')
export class SchemasController {
  constructor(private readonly resources: Resources) {}

  @Get()
  @Operation({
    tag,
    summary: 'List the schemas of the resources',
    answer: {
      status: 200,
      description: 'The name of each resource and the URL of its schema.',
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
    description: `A JSON Schema (2020-12) of the representation. It has more details of each attribute than the schema
in this document:

- \`x-datapath\`: the datapath of the attribute in expressions
- \`x-filterable\`: true when the text filter searches the attribute
- \`x-sortable\`: true when a collection can be sorted by the attribute
- \`x-labels\`: the labels that elements of a list can have
- \`x-elements\`: the HTML elements that a rich text may contain`,
    path: {
      resource: { description: 'Name of the resource, from the list of schemas.', schema: { type: 'string' } },
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
    // Schemas exist in English only, like the rest of the reference.
    sendItem(reply.header('content-language', 'en'), JSON.stringify(representationSchema(resource)));
  }
}
