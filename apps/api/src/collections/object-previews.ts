import {
  collectionStatements,
  expressionDatapaths,
  findItems,
  type FoundItems,
  integerSchema,
  isPersonal,
  type JsonSchema,
  type MatchingObject,
  notificationTopics,
  optionalProperty,
  PlanChoice,
  readMatches,
  readMatchQuery,
  type Resource,
  type RowSource,
  type RunQuery,
  ValidationError,
  writeSchema,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { type CollectionQuery, combineQueries, searchViolationMessage } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { z } from 'zod';
import { AuditLog } from '../audit/audit-log.js';
import { done, sendAnswer } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';
import { type OperationDescription, strictObject } from '../vocabulary/operation.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { tooComplex } from './collection-parameters.js';
import { PageServers } from './page-servers.js';
import { UnitOfWork } from './unit-of-work.js';

const MAX_OBJECTS = 100;
const DEFAULT_OBJECTS = 10;

/** The properties that the body of every preview of objects has. */
export const objectPreviewShape = {
  expression:
    (writeSchema(notificationTopics.type).shape as Readonly<Record<string, z.ZodType>>)['expression'] ?? z.never(),
  limit: (optionalProperty(integerSchema(1, MAX_OBJECTS)) as z.ZodType<number | undefined>).describe(
    `Maximum number of objects to show. Defaults to ${DEFAULT_OBJECTS}.`,
  ),
};

/** The body of a preview that has no further properties. */
export const objectPreviewSchema = z.strictObject(objectPreviewShape) as z.ZodType<PreviewedExpression>;

/** A valid body of a preview. */
export interface PreviewedExpression {
  readonly expression?: string | null;
  readonly limit?: number | null;
}

const MATCH: JsonSchema = strictObject({
  id: { type: 'integer' },
  url: { type: ['string', 'null'], format: 'uri' },
  values: {
    type: 'object',
    additionalProperties: true,
    description: 'The present values, by datapath. Long values are cut.',
  },
});

/** The answer of every preview of objects. Source: docs/reference/expressions.md, "Previews". */
export const OBJECT_PREVIEW_ANSWER: OperationDescription['answer'] = {
  status: 200,
  description:
    'The objects that match now. The answer contains values, so the credential needs the read scope of the objects, ' +
    'and of every resource that the expression reads. Nothing is stored.',
  schema: {
    name: 'object_preview',
    schema: strictObject({
      count: {
        type: ['integer', 'null'],
        description: 'Number of objects that match. Null when counting takes longer than two seconds.',
      },
      items: { type: 'array', items: MATCH, description: 'The first matching objects, in the order of their ids.' },
    }),
  },
  headers: ['ETag'],
};

/** An expression, and the objects on which it is evaluated. */
export interface ObjectPreviewRequest extends PreviewedExpression {
  /** Name of the route's resource, as violations show it. */
  readonly resource: string;
  readonly source: RowSource;
  /** More specific target types of relations, see `Resource.leadsTo`. */
  readonly leadsTo?: Resource['leadsTo'];
  /** Conditions that limit the objects, in addition to the expression. */
  readonly among?: readonly CollectionQuery[];
  /**
   * Rewrites the datapaths of the expression when they contain names that only the route knows. Defaults to no change.
   */
  readonly rewrite?: {
    readonly expression: (text: string) => string;
    readonly datapath: (text: string) => string;
  };
}

interface ObjectPreview {
  readonly count: number | null;
  readonly items: readonly MatchingObject[];
}

/** Shows which stored objects an expression matches. Source: docs/reference/expressions.md, "Previews". */
@Injectable()
export class ObjectPreviews {
  readonly #choice = new PlanChoice();

  constructor(
    private readonly database: Database,
    private readonly servers: PageServers,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  readonly run: RunQuery = (text, parameters) => this.database.reading.query({ text, parameters });

  /**
   * Sends the number of matching objects, and the first of them.
   * @throws {ValidationError} when the expression is no condition on stored objects
   * @throws {Problem} 400 when finding the objects takes too long; 403 when the credential lacks a scope
   */
  async send(reply: FastifyReply, request: ObjectPreviewRequest, context: RequestContext): Promise<void> {
    const { preview, people } = await this.#preview(request, context);
    const answer = done({ body: JSON.stringify(preview), people });
    sendAnswer(
      reply,
      context.idempotency ? await this.unitOfWork.answer(context, () => Promise.resolve(answer)) : answer,
    );
  }

  async #preview(
    { resource, source, leadsTo, among = [], rewrite, limit, ...given }: ObjectPreviewRequest,
    context: RequestContext,
  ): Promise<{ readonly preview: ObjectPreview; readonly people: readonly number[] }> {
    const { type } = source;
    const expression = given.expression ?? '';
    const query = await readMatchQuery(this.run, type, rewrite ? rewrite.expression(expression) : expression);
    if (query.violations) {
      const violations = query.violations.map((one) => ({
        path: '/expression',
        code: 'invalid' as const,
        info: searchViolationMessage(one),
      }));
      throw new ValidationError(resource, violations);
    }
    const datapaths = expressionDatapaths(expression);
    const withoutRoot = datapaths.map((datapath) => datapath.slice(type.name.length + 1));
    checkDatapathScopes(context.actor.scopes, type.name, ['id', ...withoutRoot], leadsTo);
    const since = performance.now();
    try {
      const found = await this.#find(source, { query: combineQueries([query, ...among]), limit }, context);
      const wanted = { type, ids: found.ids, datapaths, ...(rewrite && { readAs: rewrite.datapath }) };
      const { items, people } = await readMatches(this.run, wanted, context.settings);
      const count = await this.#count(found, context, since);
      if (datapaths.some(isPersonal))
        this.audit.personalDataRead(context, {
          collection: source.name,
          itemIds: `{${items.map(({ id }) => id).join(',')}}`,
          itemCount: items.length,
        });
      return { preview: { count, items }, people };
    } catch (error) {
      throw tooComplex(error, source) ?? error;
    }
  }

  #find(
    source: RowSource,
    { query, limit }: { readonly query: CollectionQuery; readonly limit: number | null | undefined },
    { settings }: RequestContext,
  ): Promise<FoundItems> {
    const reading = { statements: collectionStatements(source, settings), choice: this.#choice };
    return findItems(this.servers.primary.reading, reading, { query, limit: limit ?? DEFAULT_OBJECTS });
  }

  async #count(
    { ids, hasMore, countKey, snapshot, count }: FoundItems,
    { actor: { credentialId } }: RequestContext,
    since: number,
  ): Promise<number | null> {
    if (!hasMore) return ids.length;
    const { counts, counting } = this.servers.primary;
    const total = await counts.count({ since, credentialId, key: countKey, snapshot, run: () => count(counting) });
    return total ?? null;
  }
}
