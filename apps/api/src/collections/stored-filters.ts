import { readSearchTexts, type Resource, type SearchTexts, type ValidationFault } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type CollectionQuery } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { readIdParameter } from '../request/id-parameter.js';
import { type RequestContext } from '../request/request-context.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';

/** What narrows a collection by the id of something stored, and all that is wrong with it. */
export interface StoredFilterResult {
  /** Of the searches; the one whose order comes first stands first. */
  readonly queries: readonly CollectionQuery[];
  readonly selectionId?: number;
  readonly faults: readonly ParameterFault[];
  /** What the credential may not read, of what was asked for. */
  readonly refused: readonly { readonly scope: Scope; readonly parameter: string }[];
}

type ParameterFault = Pick<ProblemDetail, 'parameter' | 'code' | 'info'>;

interface Kind {
  readonly parameter: string;
  readonly texts: {
    readonly none: (id: number) => Message;
    readonly foreign: (id: number, its: string, asked: string) => Message;
  };
  /** That using one needs, where it tells more than its user could ask for without it. */
  readonly scope?: Scope;
  readonly statement: string;
  readonly parameters: (id: number, recruiterId: number) => readonly number[];
}

interface SearchKind extends Kind {
  /** For one that was valid when it was written. */
  readonly broken: (id: number, fault: ValidationFault) => Message;
}

const SAVED: SearchKind = {
  parameter: 'saved_search',
  texts: {
    none: (id) => message`there is no saved search ${id} that you can use`,
    foreign: (id, its, asked) => message`the saved search ${id} is for ${its}, not for ${asked}`,
  },
  broken: (id, { path, info = '' }) => message`the saved search ${id} is no longer valid at ${path}: ${info}`,
  statement: 'SELECT resource, search, filter, sort FROM saved_searches WHERE id = $1 AND (owner_id = $2 OR is_shared)',
  parameters: (id, recruiterId) => [id, recruiterId],
};

const CONFIGURED: SearchKind = {
  parameter: 'config_search',
  texts: {
    none: (id) => message`there is no configured search ${id} that you can use`,
    foreign: (id, its, asked) => message`the configured search ${id} is for ${its}, not for ${asked}`,
  },
  broken: (id, { path, info = '' }) => message`the configured search ${id} is no longer valid at ${path}: ${info}`,
  statement: 'SELECT resource, search, filter, sort FROM config_searches WHERE id = $1',
  parameters: (id) => [id],
};

const SELECTION: Kind = {
  parameter: 'selection',
  texts: {
    none: (id) => message`there is no selection ${id} that you can use`,
    foreign: (id, its, asked) => message`the selection ${id} is for ${its}, not for ${asked}`,
  },
  scope: 'selections:read',
  statement: 'SELECT resource FROM selections WHERE id = $1',
  parameters: (id) => [id],
};

/** Something stored that a parameter leads to, or what is wrong with the parameter; neither when it is not given. */
interface Found<Row> {
  readonly kind: Kind;
  readonly id?: number;
  readonly row?: Row;
  readonly fault?: Message;
  readonly isRefused?: boolean;
}

interface Asked {
  readonly resource: Resource;
  readonly parameters: URLSearchParams;
  readonly context: RequestContext;
}

/** Looks up what the parameters `saved_search`, `config_search` and `selection` stand for. Source: SPEC.md 4.1, CONTRACT.md 4. */
@Injectable()
export class StoredFilters {
  constructor(private readonly database: Database) {}

  /** Once nothing else is wrong. @throws {Problem} 403 when the credential may not read what a parameter names: using a selection tells who is in it. CONTRACT.md 2. */
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
      this.#find<SearchTexts>(asked, SAVED),
      this.#find<SearchTexts>(asked, CONFIGURED),
      this.#find<object>(asked, SELECTION),
    ]);
    const searches = await Promise.all([
      this.#toQuery(resource, SAVED, saved),
      this.#toQuery(resource, CONFIGURED, configured),
    ]);
    return {
      queries: searches.flatMap(({ query }) => query ?? []),
      ...(selection.row && { selectionId: selection.id }),
      faults: [...searches.flatMap(({ faults }) => faults), ...faultsOf(selection)],
      refused: [saved, configured, selection].flatMap(({ kind: { scope, parameter }, isRefused }) =>
        scope && isRefused ? [{ scope, parameter }] : [],
      ),
    };
  }

  /** One small statement, where the parameter is given and is an id. */
  async #find<Row extends object>({ resource, parameters, context }: Asked, kind: Kind): Promise<Found<Row>> {
    const given = readIdParameter(parameters, kind.parameter);
    if (!given) return { kind };
    if (given.fault !== undefined) return { kind, fault: given.fault };
    // Not even whether there is one is for who may not read it.
    if (kind.scope && !allows(context.actor.scopes, kind.scope)) return { kind, isRefused: true };
    const { id } = given;
    const [row] = await this.database.query<Row & { readonly resource: string }>(
      kind.statement,
      kind.parameters(id, context.actor.recruiterId),
    );
    if (!row) return { kind, fault: kind.texts.none(id) };
    if (row.resource !== resource.name) return { kind, fault: kind.texts.foreign(id, row.resource, resource.name) };
    return { kind, id, row };
  }

  /** What a stored search asks for. It was valid when it was written; what it names may be gone since. */
  async #toQuery(
    { type }: Resource,
    { parameter, broken }: SearchKind,
    found: Found<SearchTexts>,
  ): Promise<{ readonly query?: CollectionQuery; readonly faults: readonly ParameterFault[] }> {
    if (!found.row) return { faults: faultsOf(found) };
    const { id = 0 } = found;
    const query = await readSearchTexts((text, values) => this.database.query(text, values), type, found.row);
    if (!query.faults) return { query, faults: [] };
    return { faults: query.faults.map((fault) => ({ parameter, code: 'invalid', info: broken(id, fault) })) };
  }
}

const faultsOf = ({ kind: { parameter }, fault }: Found<object>): readonly ParameterFault[] =>
  fault === undefined ? [] : [{ parameter, code: 'invalid', info: fault }];
