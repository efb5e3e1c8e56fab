import {
  QUICK_SEARCH_GROUPS,
  type QuickSearchGroup,
  type QuickSearchResult,
  type QuickSearchStatement,
  quickSearchStatement,
  type ReadSettings,
  showsPersonalData,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuditLog } from '../audit/audit-log.js';
import { PageServers } from '../collections/page-servers.js';
import { StoredQueries } from '../collections/stored-queries.js';
import { type RequestContext } from '../request/request-context.js';
import { allows, type Scope } from '../vocabulary/scopes.js';
import { type QuickSearchRequest } from './quick-search-parameters.js';

export type QuickSearchAnswer = Readonly<Record<string, readonly QuickSearchResult[]>>;

/** Maximum number of languages whose statements are cached. There are fewer languages, so no entry is ever evicted. */
const MAX_CACHED_LANGUAGES = 20;

const scopeOf = ({ resource }: QuickSearchGroup): Scope => `${resource.scope}:read` as Scope;

/**
 * The scopes of the quick search, one of which a request needs. Without any of them, the empty answer would look like a
 * search without results.
 */
export const QUICK_SEARCH_SCOPES = QUICK_SEARCH_GROUPS.map(scopeOf).filter(
  (scope, index, all) => all.indexOf(scope) === index,
) as [Scope, ...Scope[]];

/**
 * Searches each group that the credential may read. The groups are searched at the same time, with one statement each.
 */
@Injectable()
export class QuickSearchService {
  readonly #statements = new LRUCache<string, ReadonlyMap<QuickSearchGroup, QuickSearchStatement>>({
    max: MAX_CACHED_LANGUAGES,
  });

  constructor(
    private readonly servers: PageServers,
    private readonly queries: StoredQueries,
    private readonly audit: AuditLog,
  ) {}

  async find({ text, limit }: QuickSearchRequest, context: RequestContext): Promise<QuickSearchAnswer> {
    const { actor, settings } = context;
    const statements = [...this.#statementsFor(settings)].filter(([group]) => allows(actor.scopes, scopeOf(group)));
    const { reading } = await this.servers.serverFor(actor.credentialId);
    const found = statements.map(
      async ([{ name }, statement]) => [name, await reading.query<QuickSearchResult>(statement(text, limit))] as const,
    );
    const results = Object.fromEntries(await Promise.all(found));
    for (const [{ name, resource }] of statements)
      if (showsPersonalData(resource))
        this.audit.personalDataRead(context, {
          collection: resource.name,
          itemIds: `{${(results[name] ?? []).map(({ id }) => id).join(',')}}`,
          itemCount: results[name]?.length ?? 0,
          queryDigest: this.queries.digest({ resource, pagingParameters: [] }, new URLSearchParams({ q: text })),
        });
    return results;
  }

  #statementsFor(settings: ReadSettings): ReadonlyMap<QuickSearchGroup, QuickSearchStatement> {
    const known =
      this.#statements.get(settings.language) ??
      new Map(QUICK_SEARCH_GROUPS.map((group) => [group, quickSearchStatement(group, settings)]));
    this.#statements.set(settings.language, known);
    return known;
  }
}
