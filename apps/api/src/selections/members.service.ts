import {
  addMember,
  findResource,
  lockItems,
  lockObject,
  type Members,
  membersStatement,
  NotFoundError,
  removeMember,
  replaceMembers,
  type Resource,
  type RunQuery,
  rowsOf,
  selections,
  subjectForTexts,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type CollectionQuery, searchViolationMessage, readCollectionQuery } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { checkStoredQueryScopes, invalidStoredQuery, tooComplex } from '../collections/collection-parameters.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkBody } from '../request/body.js';
import { invalidQuery } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { checkDatapathScopes, checkScope, type Scope } from '../vocabulary/scopes.js';
import { membersSchema, toId } from './members.dto.js';

const EVERYTHING: CollectionQuery['condition'] = { kind: 'all', conditions: [] };

/** Maximum number of violations that one answer lists. */
const MAX_VIOLATIONS = 100;

/** The query of a page of members. */
export interface MembersQuery {
  readonly page: number;
  readonly perPage: number;
  /** The expression that the members on the page must match. */
  readonly where: string | undefined;
  /** True when the query comes from a stored query. Errors must not quote it then. */
  readonly isStored: boolean;
}

interface MembersPage {
  readonly body: string;
  readonly total: number;
  readonly condition: CollectionQuery['condition'];
}

/** Reads and writes the members of selections. Every method needs the read scope of the selection's collection. */
@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  /**
   * Reads a page of members.
   * @throws {NotFoundError} when the selection does not exist
   * @throws {Problem} 400 when the expression is invalid or the query is too complex; 403 when the credential lacks a
   *   scope that the expression needs
   */
  async page(id: number, asked: MembersQuery, { actor, settings }: RequestContext): Promise<MembersPage> {
    const [row] = await this.database.query<{ resource: string }>('SELECT resource FROM selections WHERE id = $1', [
      id,
    ]);
    const members = membersOf(id, row, actor);
    const condition = await this.#condition(members.source, asked, actor.scopes);
    const { page, perPage } = asked;
    const part = { limit: perPage, offset: (page - 1) * perPage };
    const { text, parameters } = membersStatement(members, settings, condition, part);
    try {
      const [found] = await this.database.reading.query<{ body: string; total: number }>({ text, parameters });
      return { body: found?.body ?? '[]', total: found?.total ?? 0, condition };
    } catch (error) {
      throw tooComplex(error, members.source) ?? error;
    }
  }

  /** Parses the expression like the filter `where` of the collection of the members. */
  async #condition(
    source: Resource,
    { where, isStored }: MembersQuery,
    scopes: RequestContext['actor']['scopes'],
  ): Promise<CollectionQuery['condition']> {
    if (where === undefined) return EVERYTHING;
    const run: RunQuery = (text, values) => this.database.query(text, values);
    const query = readCollectionQuery(await subjectForTexts(run, source.type, [], { where }), { where });
    if (query.violations)
      throw invalidQuery(
        isStored
          ? [invalidStoredQuery(selections.name)]
          : query.violations.map((violation) => ({
              resource: selections.name,
              path: '',
              parameter: violation.parameter,
              code: 'invalid',
              info: searchViolationMessage(violation),
            })),
      );
    if (isStored) checkStoredQueryScopes(scopes, source, query.datapaths);
    else checkDatapathScopes(scopes, source.type.name, query.datapaths, source.leadsTo);
    return query.condition;
  }

  /**
   * Replaces the members of a selection.
   * @throws {ValidationError} with a violation for each id that is not an item of the collection
   */
  async replace(work: Work, id: number, given: unknown): Promise<void> {
    const members = await this.#lock(work, id);
    const checked = checkBody(membersSchema, given);
    const ids = checked.violations ? [] : checked.data.ids.map(toId);
    const items = await lockItems(
      work.transaction,
      members,
      ids.filter((one) => one !== undefined),
    );
    const unknown = ids.flatMap((one, index) =>
      one !== undefined && items.has(one)
        ? []
        : [{ path: `/ids/${index}`, code: 'invalid' as const, info: unknownInfo(one, members) }],
    );
    if (checked.violations || unknown.length > 0)
      throw new ValidationError(selections.name, checked.violations ?? limited(unknown));
    await replaceMembers(work.transaction, members, items);
  }

  /**
   * Adds an item to a selection.
   * @throws {NotFoundError} when the selection does not exist, or its collection has no such item
   */
  async add(work: Work, id: number, memberId: number): Promise<void> {
    const members = await this.#lock(work, id);
    const items = await lockItems(work.transaction, members, [memberId]);
    if (!items.has(memberId)) throw new NotFoundError(members.source.type.name, memberId);
    await addMember(work.transaction, members, memberId);
  }

  /**
   * Removes an item from a selection.
   * @throws {NotFoundError} when the selection does not exist, or the item is not a member
   */
  async remove(work: Work, id: number, memberId: number): Promise<void> {
    await this.#lock(work, id);
    if (!(await removeMember(work.transaction, id, memberId))) throw new NotFoundError('member', memberId);
  }

  /** Locks the selection, so that no other request changes its collection. */
  async #lock(work: Work, id: number): Promise<SelectionMembers> {
    await lockObject(work.transaction, selections, id);
    const row = await rowsOf<{ id: number; resource: string }>(work.transaction, selections.type).findOneBy({ id });
    return membersOf(id, row, work);
  }
}

type SelectionMembers = Members & { readonly source: Resource };

interface Viewer {
  readonly recruiterId: number;
  readonly scopes: ReadonlySet<string>;
}

function membersOf(
  id: number,
  row: { readonly resource: string } | null | undefined,
  { recruiterId, scopes }: Viewer,
): SelectionMembers {
  const source = row && findResource(row.resource);
  if (!source) throw new NotFoundError(selections.type.name, id);
  const scope = `${source.scope}:read` as Scope;
  checkScope(
    scopes,
    scope,
    message`The credential lacks the scope ${scope}, which a selection of ${source.name} needs`,
  );
  return { selectionId: id, source, viewerId: recruiterId };
}

const unknownInfo = (id: number | undefined, { source }: SelectionMembers): Message =>
  id === undefined ? message`expected an id` : message`there is no ${source.type.name} ${id} among the ${source.name}`;

/** Limits the number of violations. The last violation then says how many more there are. */
const limited = (violations: readonly Violation[]): readonly Violation[] =>
  violations.length <= MAX_VIOLATIONS
    ? violations
    : [
        ...violations.slice(0, MAX_VIOLATIONS),
        {
          path: '/ids',
          code: 'invalid',
          info: message`${violations.length - MAX_VIOLATIONS} more ids are not items of the collection`,
        },
      ];
