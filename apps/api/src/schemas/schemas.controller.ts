import {
  API_PREFIX,
  type JsonSchema,
  notificationEndpoints,
  objectModel,
  objectTypeSchema,
  representationSchema,
  SCHEMA_DIALECT,
} from '@ats/domain';
import { message } from '@ats/message';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendItem } from '../request/answer.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { HISTORY_SCHEMA } from '../history/history-schema.js';
import { ENDPOINT_ANSWERS } from '../notifications/shown-keys.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { Resources } from './resources.js';

const tag = 'reference';

const SCHEMA_OF_SCHEMAS: JsonSchema = {
  type: 'object',
  properties: {
    $schema: { const: SCHEMA_DIALECT },
    title: { type: 'string', description: 'Name of the resource or of the object type.' },
    type: { const: 'object' },
    properties: { type: 'object', additionalProperties: { type: 'object' }, description: 'A schema for each field.' },
    required: {
      type: 'array',
      items: { type: 'string' },
      description: `All fields except \`layout_data\`. A field without a value is null. The schema of an object type requires
none.`,
    },
    additionalProperties: { const: false },
    'x-error-codes': {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: `Codes of violations beyond \`missing\`, \`invalid\` and \`already_exists\`, each with its meaning in
English: the codes of this resource’s writes, and those of every collection.`,
    },
    'x-relations': {
      type: 'object',
      additionalProperties: strictObject({
        type: {
          type: 'string',
          description: 'Name of the object type of the related object. Read its attributes at `/schemas/<type>`.',
        },
        many: { type: 'boolean', description: 'True when the relation leads to any number of objects.' },
        attributes: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of the attributes that may follow in a datapath.',
        },
      }),
      description: 'The relations that datapaths can follow, by name. `/datapaths` lists the datapaths themselves.',
    },
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

/** The schema of the history of items. The history is no collection of its own. */
const HISTORY: JsonSchema = {
  $schema: SCHEMA_DIALECT,
  title: HISTORY_SCHEMA.name,
  ...HISTORY_SCHEMA.schema,
  'x-error-codes': {},
  'x-relations': {},
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
    return [...this.resources.all().map(({ name }) => name), HISTORY_SCHEMA.name]
      .sort()
      .map((resource) => ({ resource, url: `${settings.baseUrl}${API_PREFIX}/schemas/${resource}` }));
  }

  @Get(':resource')
  @Operation({
    tag,
    action: 'get_schema',
    summary: 'Read the schema of a resource',
    description: `A JSON Schema (2020-12) of the representation. It has more details of each attribute than the schema
in this document:

- \`x-datapath\`: the datapath of the attribute in expressions
- \`x-filterable\`: true when the text filter searches the attribute
- \`x-sortable\`: true when a collection can be sorted by the attribute
- \`x-labels\`: the labels that elements of a list can have
- \`x-elements\`: the HTML elements that a rich text may contain

The name may also be an older name of a collection, such as \`vacancy_applications\`, \`history\` for the answers of
\`…/history\`, or the object type of a relation, such as \`process_state\`. The schema of an object type has the
attributes that datapaths reach.`,
    path: {
      resource: {
        description: 'Name of a resource, from the list of schemas, or the `type` of a relation.',
        schema: { type: 'string' },
      },
    },
    answer: {
      status: 200,
      description: 'The schema.',
      schema: { name: 'schema', schema: SCHEMA_OF_SCHEMAS },
      headers: ['ETag'],
    },
  })
  item(@Param('resource') name: string, @Res() reply: FastifyReply): void {
    const schema = this.#find(name);
    if (!schema) throw new Problem(404, message`The schema ${JSON.stringify(name)} was not found`);
    // Schemas exist in English only, like the rest of the reference.
    sendItem(reply.header('content-language', 'en'), JSON.stringify(schema));
  }

  /** Finds a schema by the name of a resource, of one of its paths, or of an object type. */
  #find(name: string): JsonSchema | undefined {
    if (name === HISTORY_SCHEMA.name) return HISTORY;
    const resources = this.resources.all();
    const resource = resources.find((one) => one.name === name) ?? resources.find(({ paths }) => paths.includes(name));
    const type = objectModel.types.find((one) => one.name === name);
    // In lists, endpoints have properties that the object model lacks. Their schema is therefore not made from the
    // model.
    if (resource === notificationEndpoints) return ENDPOINT_ANSWERS.inLists.schema;
    return resource ? representationSchema(resource) : type && objectTypeSchema(type);
  }
}
