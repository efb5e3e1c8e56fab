import { Body, Controller, Delete, Headers, Param, Put, Req, Res } from '@nestjs/common';
import { lockObject, readItem, representationSchema, selections, MAX_MEMBERS_AT_ONCE } from '@ats/domain';
import { findOnly, parsePageParameters } from '@ats/pagination';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type GivenParameters } from '../collections/given-parameters.js';
import { ListOperation } from '../collections/list-operation.js';
import { PageLinks } from '../collections/page-links.js';
import { COLLECTION_PARAMETERS, PAGE_PARAMETERS, STORED_QUERY_PARAMETER } from '../collections/page-parameters.js';
import { StoredQueries } from '../collections/stored-queries.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { sendItem } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { invalidQuery, parameterProblem, unknownParameters } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { membersSchema } from './members.dto.js';
import { type MembersQuery, MembersService } from './members.service.js';

const tag = selections.name;
const COLLECTION_SCOPE = 'The credential also needs the read scope of the collection.';
const MEMBER = strictObject({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' } });
const QUERY = COLLECTION_PARAMETERS.filter(({ name }) => name === 'where' || isPaging(name));
const KNOWN = QUERY.map(({ name }) => name);
const COLLECTION = { resource: selections, pagingParameters: KNOWN.filter(isPaging) };

@Controller('api/v1/selections/:id/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly queries: StoredQueries,
    private readonly links: PageLinks,
  ) {}

  @ListOperation({
    scope: 'selections:read',
    tag,
    summary: 'List the members of a selection',
    description: `Lists the ids and URLs of the members, sorted by id. To read the items themselves, read their
collection with \`selection=<id>\`. Datapaths of \`where\` begin with the object type of the members.
${COLLECTION_SCOPE}`,
    query: QUERY,
    answer: 'One page of members.',
    isExported: false,
    schema: { name: 'selection_member', schema: MEMBER },
  })
  async list(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const given = await this.queries.read(request, COLLECTION);
    const asked = queryOf(given);
    const { body, total, condition } = await this.members.page(id, asked, context);
    const { page, perPage } = asked;
    const { baseUrl } = context.settings;
    const query = { collection: COLLECTION, given, condition, baseUrl };
    const link = await this.links.header(request, query, { page, perPage, total });
    void reply
      .headers({ link, 'x-total-count': String(total), 'content-type': 'application/json; charset=utf-8' })
      .send(body);
  }

  @Put()
  @RequiresScope('selections:write')
  @Operation({
    tag,
    summary: 'Replace the members of a selection',
    description: `A request has at most ${MAX_MEMBERS_AT_ONCE} members. Add further members one by one. \`If-Match\`
takes the \`ETag\` of the selection. ${COLLECTION_SCOPE}`,
    body: { name: 'selection_members_write', schema: membersSchema, example: { ids: [1001, 1002, 1003] } },
    answer: {
      status: 200,
      description: 'The selection after the change.',
      schema: { name: selections.name, schema: representationSchema(selections) },
      headers: ['ETag'],
    },
  })
  async replace(
    @Param('id', ItemId) id: number,
    @Body() given: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const text = await this.#change(context, { id, ifMatch }, async (work) => {
      await this.members.replace(work, id, given);
      return readSelection(work, id);
    });
    sendItem(reply, text);
  }

  @Put(':memberId')
  @RequiresScope('selections:write')
  @Operation({
    tag,
    action: 'add_member',
    summary: 'Add a member to a selection',
    description: `The request has no body. Adding an item that is already a member changes nothing. \`If-Match\` takes
the \`ETag\` of the selection. ${COLLECTION_SCOPE}`,
    answer: { status: 204, description: 'The item is a member.' },
  })
  async add(
    @Param('id', ItemId) id: number,
    @Param('memberId', ItemId) memberId: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change(context, { id, ifMatch }, (work) => this.members.add(work, id, memberId));
    void reply.status(204).send();
  }

  @Delete(':memberId')
  @RequiresScope('selections:write')
  @Operation({
    tag,
    action: 'remove_member',
    summary: 'Remove a member from a selection',
    description: `The item itself is not deleted. If the item is not a member, the answer is 404. \`If-Match\` takes
the \`ETag\` of the selection. ${COLLECTION_SCOPE}`,
    answer: { status: 204, description: 'The item is no longer a member.' },
  })
  async remove(
    @Param('id', ItemId) id: number,
    @Param('memberId', ItemId) memberId: number,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#change(context, { id, ifMatch }, (work) => this.members.remove(work, id, memberId));
    void reply.status(204).send();
  }

  #change<T>(
    context: RequestContext,
    { id, ifMatch }: { readonly id: number; readonly ifMatch: string | undefined },
    change: (work: Work) => Promise<T>,
  ): Promise<T> {
    const locked = async (work: Work): Promise<readonly string[]> => {
      await lockObject(work.transaction, selections, id);
      return [await readSelection(work, id)];
    };
    return this.unitOfWork.write(context, { ifMatch, locked }, change);
  }
}

/** Reads the selection as JSON text. */
const readSelection = ({ transaction, settings }: Work, id: number): Promise<string> =>
  readItem(transaction, selections, id, settings);

function isPaging(name: string): boolean {
  return PAGE_PARAMETERS.some((parameter) => parameter.name === name);
}

/**
 * Reads the query. Does not parse the expression.
 * @throws {Problem} 400 with the violations of all parameters
 */
function queryOf(given: GivenParameters): MembersQuery {
  const { parameters, handle } = given;
  const unknown = unknownParameters(selections.name, parameters, [...KNOWN, STORED_QUERY_PARAMETER.name]);
  const pages = parsePageParameters(parameters);
  const where = findOnly(parameters, 'where');
  const violations = [
    ...given.violations,
    ...unknown,
    ...(pages.violations ?? []).map((violation) => parameterProblem(selections.name, violation)),
    ...(typeof where === 'object' ? [parameterProblem(selections.name, where)] : []),
  ];
  if (pages.violations || typeof where === 'object' || violations.length > 0) throw invalidQuery(violations);
  return { page: pages.page, perPage: pages.perPage, where, isStored: handle !== undefined };
}
