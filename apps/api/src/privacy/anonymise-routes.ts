import {
  type Anonymisation,
  findResource,
  type RemovalReport,
  readItem,
  representationSchema,
  type Resource,
  resourcesWithMentions,
  withProperties,
} from '@ats/domain';
import { message } from '@ats/message';
import { type Transaction } from '@ats/postgres';
import { Injectable, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answerDryRun, readFlags } from '../collections/dry-run.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { done, sendAnswer } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { queryOf, ReadsQuery } from '../request/query.js';
import { Context, type RequestContext } from '../request/request-context.js';
import {
  DRY_RUN,
  DRY_RUN_PARAMETER,
  oneOf,
  Operation,
  type QueryParameter,
  REMAINING_SCHEMA,
  TOO_MANY_IN_SCHEMA,
} from '../vocabulary/operation.js';
import { allows, checkScope, RequiresScope, type Scope } from '../vocabulary/scopes.js';

const EVERYWHERE = 'everywhere';

const EVERYWHERE_PARAMETER: QueryParameter = {
  name: EVERYWHERE,
  description:
    '`true` also clears the texts of others that mention the person: `[anonymised]` replaces the values of the person ' +
    'in names, descriptions and other prose, and whole literals in expressions and conditions. Needs the write scope ' +
    'of every resource with such texts, which `*:write` includes.',
  schema: { type: 'boolean', const: true },
};

/** Anonymises a person. Source: docs/reference/data-protection.md, "Anonymisation". */
export type Anonymise = (transaction: Transaction, id: number, how: Anonymisation) => Promise<RemovalReport>;

interface AnonymiseOptions {
  readonly anonymise: Anonymise;
  readonly description: string;
  /** Describes the 409 answer in the reference. */
  readonly conflict?: string;
}

/** Makes the route that anonymises a person, at `/<id>/anonymise`. */
export function AnonymiseRoutes(
  resource: Resource,
  { anonymise, description, conflict }: AnonymiseOptions,
): Type<AnonymiseRoutesBase> {
  const one = oneOf(resource);
  class Routes extends AnonymiseRoutesBase {
    @Post(':id/anonymise')
    @RequiresScope(`${resource.scope}:write`)
    @ReadsQuery()
    @Operation({
      tag: resource.name,
      dryRun: true,
      ...(conflict && { conflict }),
      query: [EVERYWHERE_PARAMETER, DRY_RUN_PARAMETER],
      summary: `Anonymise ${one}`,
      description: `${description}

Texts that belong to others can mention the person by a name, an address or a number that no other user has: names and
descriptions of topics, expressions, searches, selections, forms, templates, vacancies. The answer lists those that you
may read in \`remaining\`, without their texts. \`everywhere=true\` clears them, in this request or in a later one.
A single word that occurs in more than 1,000 texts identifies nobody, so these texts are neither listed nor cleared.
\`too_many_in\` names their resources. \`everywhere=true\` does not clear texts that other systems or rows refer to,
such as URLs, codes and option values of forms. They stay in \`remaining\`: change them by hand.

The operation cannot be undone. A repeated call clears nothing but texts of others.`,
      answer: {
        status: 200,
        description: 'The anonymised item, with the texts of others that still mention the person.',
        schema: {
          name: `${resource.name}_anonymised`,
          schema: withProperties(representationSchema(resource), {
            remaining: REMAINING_SCHEMA,
            too_many_in: TOO_MANY_IN_SCHEMA,
          }),
        },
        headers: ['ETag'],
      },
    })
    async anonymise(
      @Param('id', ItemId) id: number,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
      @Context() context: RequestContext,
    ): Promise<void> {
      const flags = readFlags(resource.name, queryOf(request), [EVERYWHERE, DRY_RUN]);
      const isEverywhere = flags.has(EVERYWHERE);
      if (isEverywhere) checkEverywhere(context.actor.scopes);
      const work = async ({ transaction, recruiterId, scopes, settings: { baseUrl } }: Work) => {
        const report = await anonymise(transaction, id, { recruiterId, baseUrl, isEverywhere });
        return {
          removals: report.removals,
          remaining: report.remaining.filter(({ resource: name }) => isReadable(name, scopes)),
          tooManyIn: report.tooManyIn.filter((name) => isReadable(name, scopes)),
        };
      };
      if (flags.has(DRY_RUN)) return answerDryRun(reply, context, this.unitOfWork, { work });
      const answer = await this.unitOfWork.answer(context, async (unit) => {
        const { remaining, tooManyIn } = await work(unit);
        const item = await readItem(unit.transaction, resource, id, unit.settings);
        return done({ body: withMembers(item, { remaining, too_many_in: tooManyIn }) });
      });
      sendAnswer(reply, answer);
    }
  }
  return Routes;
}

/**
 * Checks that the credential may write all texts in which mentions are anonymised, whether or not a text mentions the
 * person. Otherwise a client could create a person whose name is a word of a text, in order to change this text.
 * @throws {Problem} 403 that names the first missing scope
 */
function checkEverywhere(granted: ReadonlySet<string>): void {
  for (const { scope: name } of resourcesWithMentions()) {
    const scope: Scope = `${name}:write`;
    checkScope(granted, scope, message`The credential lacks the scope ${scope}, which ${EVERYWHERE} needs`);
  }
}

/**
 * True when the credential may read the texts of a resource. Without this check, the answer would reveal words of texts
 * that the credential may not read.
 */
function isReadable(resource: string, granted: ReadonlySet<string>): boolean {
  const scope = findResource(resource)?.scope;
  return scope !== undefined && allows(granted, `${scope}:read`);
}

/** Adds properties to an object in JSON text. */
const withMembers = (item: string, members: object): string =>
  `${item.slice(0, -1)},${JSON.stringify(members).slice(1)}`;

@Injectable()
export class AnonymiseRoutesBase {
  constructor(protected readonly unitOfWork: UnitOfWork) {}
}
