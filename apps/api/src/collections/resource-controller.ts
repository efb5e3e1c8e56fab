import {
  checkQuotas,
  readItem,
  representationSchema,
  type Resource,
  resourceUrl,
  ValidationError,
  type WriteBody,
  writeSchema,
} from '@ats/domain';
import {
  Body,
  Delete,
  Get,
  Headers,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { created, sendAnswer, sendItem } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { codesOf, DRY_RUN, DRY_RUN_PARAMETER, oneOf, Operation } from '../vocabulary/operation.js';
import { type Action, RequiresScope } from '../vocabulary/scopes.js';
import { CountsOperation, GroupCounts } from './group-counts.js';
import { attributeFilterParameters } from './attribute-filters.js';
import { itemChange, runChange } from './change-item.js';
import { answerDryRun, readFlags } from './dry-run.js';
import { Lists } from './lists.js';
import { ListOperation } from './list-operation.js';
import { ChangesItemOf } from './owner.guard.js';
import { COLLECTION_PARAMETERS } from './page-parameters.js';
import { PATCH_NOTE, patchBody } from './patch-description.js';
import { type ResourceControllerOptions } from './resource-controller-options.js';
import { ResourceReader } from './resource-reader.js';
import {
  ACTION_OF,
  allViolations,
  CODES_OF_OTHER_OPERATIONS,
  IN_USE,
  lockItem,
  type ResourceWrites,
  writeMethod,
  type WriteVerb,
} from './resource-writes.js';
import { currentRepresentations, type Precondition, UnitOfWork, type Work } from './unit-of-work.js';
import { VIEW_PARAMETERS, ViewParameters } from './view-parameters.js';

/** Metadata key of the resource that a controller serves. */
export const RESOURCE = 'ats:resource';

/** Returns the paths of a resource, for `@Controller`. */
export const pathsOf = (resource: Resource): string[] => resource.paths.map((path) => `api/v1/${path}`);

/**
 * Makes the base class of a resource's controller. It has routes for the list, for one item, and for each of the
 * `verbs`. The controller itself has only the further routes.
 */
export function ResourceController(
  resource: Resource,
  {
    verbs,
    schema = writeSchema(resource.type),
    createBody,
    alternatives = {},
    notes = {},
    example = resource.describe.example,
    errorCodes: own,
    dryRun,
    removeFlags = [],
    conflicts = {},
  }: ResourceControllerOptions,
): Type<ResourceRoutes> {
  const scope = (action: Action): MethodDecorator => RequiresScope(`${resource.scope}:${action}`);
  const onlyFor =
    (wanted: readonly WriteVerb[], ...decorators: MethodDecorator[]): MethodDecorator =>
    (target, name, descriptor) => {
      const [verb] = wanted;
      if (verb && wanted.some((one) => verbs.includes(one)))
        for (const decorate of [...decorators, scope(ACTION_OF[verb])]) decorate(target, name, descriptor);
    };

  // Items of shared resources, such as saved searches, are limited to those that the credential's recruiter may read.
  const viewerOf = ({ recruiterId }: { readonly recruiterId: number }): number | undefined =>
    resource.sharedColumn === undefined ? undefined : recruiterId;

  const one = oneOf(resource);
  const shown = { name: resource.name, schema: representationSchema(resource) };
  const tag = resource.name;
  const body = { name: `${resource.name}_write`, schema, ...(example && { example }) };
  const ofCreate = createBody ? { ...body, name: `${resource.name}_create`, ...createBody } : body;
  const rules = { type: resource.type, schema, alternatives };
  const removeQuery = [...(dryRun ? [DRY_RUN_PARAMETER] : []), ...removeFlags];
  const changed = { status: 200, description: 'The changed item.', schema: shown, headers: ['ETag'] } as const;
  const errorCodes = codesOf(
    resource,
    own ?? Object.keys(resource.type.errorCodes).filter((code) => !CODES_OF_OTHER_OPERATIONS.includes(code)),
  );

  @SetMetadata(RESOURCE, resource)
  class Routes extends ResourceRoutes {
    @ListOperation({
      tag,
      scope: `${resource.scope}:read`,
      summary: `List ${resource.name.replaceAll('_', ' ')}`,
      query: [...COLLECTION_PARAMETERS, ...attributeFilterParameters(resource)],
      schema: shown,
    })
    async list(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
      await this.lists.send(resource, reply, context, { ownerId: viewerOf(context.actor) });
    }

    @CountsOperation(resource)
    async counts(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
      await this.groups.send(resource, reply, context, viewerOf(context.actor));
    }

    @Get(':id')
    @scope('read')
    @ReadsQuery()
    @Operation({
      tag,
      summary: `Read ${one}`,
      query: VIEW_PARAMETERS,
      answer: { status: 200, description: 'The item.', schema: shown, headers: ['ETag'] },
    })
    async item(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const settings = await this.view.ofItem(resource, queryOf(request), context);
      sendItem(reply, await this.reader.item(resource, id, context, { settings, ownerId: viewerOf(context.actor) }));
    }

    @onlyFor(['create'], Post())
    @Operation({
      tag,
      summary: `Create ${one}`,
      ...(notes.create && { description: notes.create }),
      body: ofCreate,
      errorCodes,
      answer: { status: 201, description: 'The new item.', schema: shown, headers: ['Location', 'ETag'] },
    })
    async create(
      @Body() given: unknown,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const body = await this.checked(context, given);
      const answer = await this.unitOfWork.answer(context, async (work) => {
        await checkQuotas(work.transaction, resource, { owner_id: work.recruiterId });
        const id = await writeMethod(this.writes, 'create')(work, body);
        const location = resourceUrl(work.settings.baseUrl, resource.paths[0], id);
        return created(location, {
          body: await readItem(work.transaction, resource, id, work.settings, viewerOf(work)),
        });
      });
      sendAnswer(reply, answer);
    }

    @onlyFor(['replace'], Put(':id'), ChangesItemOf(resource))
    @Operation({
      tag,
      summary: `Replace ${one}`,
      description: notes.replace ?? 'Properties that the body leaves out get their defaults.',
      body: { ...body, isOfItem: true },
      ...(conflicts.replace && { conflict: conflicts.replace }),
      errorCodes,
      answer: changed,
    })
    async replace(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      await this.change(id, request, reply, context);
    }

    @onlyFor(['replace', 'update'], Patch(':id'), ChangesItemOf(resource))
    @Operation({
      tag,
      summary: `Change ${one}`,
      description: [PATCH_NOTE, notes.update].filter(Boolean).join('\n\n'),
      body: patchBody(body),
      ...(conflicts.replace && { conflict: conflicts.replace }),
      errorCodes,
      answer: changed,
    })
    async update(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      await this.change(id, request, reply, context);
    }

    @onlyFor(['remove'], Delete(':id'), ChangesItemOf(resource), ...(removeQuery.length > 0 ? [ReadsQuery()] : []))
    @Operation({
      tag,
      summary: `Delete ${one}`,
      ...(notes.remove && { description: notes.remove }),
      ...(conflicts.remove && { conflict: conflicts.remove }),
      ...(dryRun && { dryRun }),
      ...(removeQuery.length > 0 && { query: removeQuery }),
      errorCodes: codesOf(resource, [IN_USE]),
      answer: { status: 204, description: 'The item is deleted.' },
    })
    async remove(
      @Param('id', ItemId) id: number,
      @Headers('if-match') ifMatch: string | undefined,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const precondition = this.precondition(ifMatch, id);
      const names = removeQuery.map(({ name }) => name);
      const flags = removeQuery.length > 0 ? readFlags(resource.name, queryOf(request), names) : new Set<string>();
      if (dryRun && flags.has(DRY_RUN)) {
        const work = async (unit: Work) => ({ removals: await writeMethod(this.writes, 'removal')(unit, id) });
        return answerDryRun(reply, context, this.unitOfWork, { precondition, work });
      }
      await this.unitOfWork.write(context, precondition, (work) => writeMethod(this.writes, 'remove')(work, id, flags));
      void reply.status(204).send();
    }

    /** Serves PUT and PATCH of an item. */
    private async change(
      id: number,
      request: FastifyRequest,
      reply: FastifyReply,
      context: RequestContext,
    ): Promise<void> {
      const viewerId = viewerOf(context.actor);
      const target = { id, resource, writes: this.writes, rules, change: itemChange(request, context), viewerId };
      const precondition = this.precondition(request.headers['if-match'], id);
      sendItem(reply, await runChange(this.unitOfWork, this.reader, { context, precondition, target }));
    }

    /**
     * Checks a body and returns it.
     * @throws {ValidationError} with the violations of the schema and of the checks in the database
     */
    private async checked(context: RequestContext, given: unknown): Promise<WriteBody> {
      const result = checkBody(ofCreate.schema, given);
      if (!result.violations) return result.data;
      const { violations } = result;
      const all = isJsonObject(given)
        ? await this.unitOfWork.run(context, (work) =>
            allViolations(this.writes, resource, work, { given, found: violations }),
          )
        : violations;
      throw new ValidationError(resource.name, all);
    }

    private precondition(ifMatch: string | undefined, id: number): Precondition {
      return {
        ifMatch,
        locked: async (work) => {
          await lockItem(this.writes, resource, work, id);
          return currentRepresentations(work, resource, id, viewerOf(work));
        },
      };
    }
  }
  return Routes;
}

/** Base class of all resource controllers. It holds the services that their routes use. */
export class ResourceRoutes {
  // Nest injects the services into a property, so that the constructors of derived controllers need not pass them to
  // `super`.
  @Inject(ViewParameters) protected readonly view!: ViewParameters;
  @Inject(GroupCounts) protected readonly groups!: GroupCounts;
  @Inject(Lists) protected readonly lists!: Lists;

  constructor(
    protected readonly reader: ResourceReader,
    protected readonly unitOfWork: UnitOfWork,
    protected readonly writes: ResourceWrites,
  ) {}
}
