import { readSearchTexts, type Resource, type RunQuery, type SearchTexts, type Violation } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type CollectionQuery, combineQueries, exceededLimit } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { readIdParameter } from '../request/id-parameter.js';
import { type RequestContext } from '../request/request-context.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';

/**
 * The conditions of the stored searches and selections that a request names, with the violations of the parameters that
 * name them.
 */
export interface StoredFilterResult {
  /** The queries of the searches. Their sort keys apply in this order. */
  readonly queries: readonly CollectionQuery[];
  /** The parameters that name the stored searches. */
  readonly parameters: readonly string[];
  readonly selectionId?: number;
  readonly violations: readonly ParameterViolation[];
  /** The parameters that the credential may not use, each with the missing scope. */
  readonly refused: readonly { readonly scope: Scope; readonly parameter: string }[];
}

type ParameterViolation = Pick<ProblemDetail, 'parameter' | 'code' | 'info'>;

interface Kind {
  readonly parameter: string;
  readonly texts: {
    readonly missing: (id: number) => Message;
    readonly otherCollection: (id: number, stored: string, requested: string) => Message;
  };
  /**
   * The scope that the parameter needs. Absent for stored searches, because a client could send their conditions
   * itself.
   */
  readonly scope?: Scope;
  readonly statement: string;
  readonly parameters: (id: number, recruiterId: number) => readonly number[];
}

interface SearchKind extends Kind {
  /** The text of the violation for a stored search that has become invalid. */
  readonly invalid: (id: number, violation: Violation) => Message;
}

const SAVED: SearchKind = {
  parameter: 'saved_search',
  texts: {
    missing: (id) => message`there is no saved search ${id} that you can use`,
    otherCollection: (id, stored, requested) => message`the saved search ${id} is for ${stored}, not for ${requested}`,
  },
  invalid: (id, { path, info = '' }) => message`the saved search ${id} is no longer valid at ${path}: ${info}`,
  statement:
    'SELECT resource, search, filter, where_expression AS "where", sort FROM saved_searches WHERE id = $1 AND (owner_id = $2 OR is_shared)',
  parameters: (id, recruiterId) => [id, recruiterId],
};

const CONFIGURED: SearchKind = {
  parameter: 'config_search',
  texts: {
    missing: (id) => message`there is no configured search ${id} that you can use`,
    otherCollection: (id, stored, requested) =>
      message`the configured search ${id} is for ${stored}, not for ${requested}`,
  },
  invalid: (id, { path, info = '' }) => message`the configured search ${id} is no longer valid at ${path}: ${info}`,
  statement: 'SELECT resource, search, filter, where_expression AS "where", sort FROM config_searches WHERE id = $1',
  parameters: (id) => [id],
};

const SELECTION: Kind = {
  parameter: 'selection',
  texts: {
    missing: (id) => message`there is no selection ${id} that you can use`,
    otherCollection: (id, stored, requested) => message`the selection ${id} is for ${stored}, not for ${requested}`,
  },
  scope: 'selections:read',
  statement: 'SELECT resource FROM selections WHERE id = $1',
  parameters: (id) => [id],
};

/**
 * The result of reading one parameter: the stored row that it names, or a violation. A request without the parameter
 * has neither.
 */
interface Found<Row> {
  readonly kind: Kind;
  readonly id?: number;
  readonly row?: Row;
  readonly violation?: Message;
  readonly isRefused?: boolean;
}

/** The columns of the row of a stored search. */
interface StoredSearch extends SearchTexts {
  readonly search: readonly string[];
  readonly where: string | null;
}

interface Asked {
  readonly resource: Resource;
  readonly parameters: URLSearchParams;
  readonly context: RequestContext;
}

/**
 * Finds the stored searches and selections of the parameters `saved_search`, `config_search` and `selection`.
 * Source: docs/reference/search.md, "Stored searches" and "Selections".
 */
@Injectable()
export class StoredFilters {
  constructor(private readonly database: Database) {}

  /**
   * Checks the scopes that the parameters need. Call it only when all parameters are valid. A selection needs a scope
   * of its own, because a page with the parameter reveals the members.
   * @throws {Problem} 403 when the credential lacks such a scope
   */
  check({ refused }: StoredFilterResult, { actor }: RequestContext): void {
    for (const { scope, parameter } of refused)
      checkScope(
        actor.scopes,
        scope,
        message`The credential lacks the scope ${scope}, which the parameter ${parameter} needs`,
      );
  }

  async read(resource: Resource, parameters: URLSearchParams, context: RequestContext): Promise<StoredFilterResult> {
    const asked = { resource, parameters, context };
    const [saved, configured, selection] = await Promise.all([
      this.#find<StoredSearch>(asked, SAVED),
      this.#find<StoredSearch>(asked, CONFIGURED),
      this.#find<object>(asked, SELECTION),
    ]);
    const searches = await Promise.all([
      this.#toQuery(resource, SAVED, saved),
      this.#toQuery(resource, CONFIGURED, configured),
    ]);
    return {
      queries: searches.flatMap(({ query }) => query ?? []),
      parameters: [SAVED, CONFIGURED].flatMap(({ parameter }, index) => (searches[index]?.query ? [parameter] : [])),
      ...(selection.row && { selectionId: selection.id }),
      violations: [...searches.flatMap(({ violations }) => violations), ...violationsOf(selection)],
      refused: [saved, configured, selection].flatMap(({ kind: { scope, parameter }, isRefused }) =>
        scope && isRefused ? [{ scope, parameter }] : [],
      ),
    };
  }

  /** Reads the row that a parameter names, with one small statement. */
  async #find<Row extends object>({ resource, parameters, context }: Asked, kind: Kind): Promise<Found<Row>> {
    const given = readIdParameter(parameters, kind.parameter);
    if (!given) return { kind };
    if (given.violation !== undefined) return { kind, violation: given.violation };
    // Reads no row without the scope, because the credential must not learn whether the row exists.
    if (kind.scope && !allows(context.actor.scopes, kind.scope)) return { kind, isRefused: true };
    const { id } = given;
    const [row] = await this.database.query<Row & { readonly resource: string }>(
      kind.statement,
      kind.parameters(id, context.actor.recruiterId),
    );
    if (!row) return { kind, violation: kind.texts.missing(id) };
    if (row.resource !== resource.name)
      return { kind, violation: kind.texts.otherCollection(id, row.resource, resource.name) };
    return { kind, id, row };
  }

  /**
   * Parses a stored search. It was valid when it was stored, but a form item that it names may have been deleted since.
   */
  async #toQuery(
    { type }: Resource,
    { parameter, invalid }: SearchKind,
    found: Found<StoredSearch>,
  ): Promise<{ readonly query?: CollectionQuery; readonly violations: readonly ParameterViolation[] }> {
    if (!found.row) return { violations: violationsOf(found) };
    const { id = 0 } = found;
    const run: RunQuery = (text, values) => this.database.query(text, values);
    const query = await readSearchTexts(run, type, found.row, found.row);
    if (!query.violations) return { query, violations: [] };
    return {
      violations: query.violations.map((violation) => ({ parameter, code: 'invalid', info: invalid(id, violation) })),
    };
  }
}

/**
 * Checks the limits of conditions. They apply to the sum of the conditions of all stored searches and of the request.
 */
export function exceededWith(
  { queries, parameters: [parameter] }: StoredFilterResult,
  query: CollectionQuery,
): readonly ParameterViolation[] {
  const info = parameter === undefined ? undefined : exceededLimit(combineQueries([query, ...queries]));
  return info && parameter !== undefined ? [{ parameter, code: 'too_complex', info }] : [];
}

const violationsOf = ({ kind: { parameter }, violation }: Found<object>): readonly ParameterViolation[] =>
  violation === undefined ? [] : [{ parameter, code: 'invalid', info: violation }];
