import { compileConditionSql, compileSortSql, type CollectionQuery, SqlParameters } from '@ats/search-query';
import { objectModel } from '../model/object-model.js';
import { conditionsOf, representationSelect, sqlSettings, tableOf, type ReadSettings, type RowSource } from '../model/representation-sql.js';

/** A text and the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Which items of a collection. */
export interface CollectionRequest {
  readonly query: CollectionQuery;
  /** Of a collection that lives below an item of another. */
  readonly ownerId?: number;
}

export interface PageRequest extends CollectionRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The statements of one collection. What does not depend on a request is worked out once. */
export interface CollectionStatements {
  /**
   * One page as the text of a JSON array in `body`. The keys of the page are found and ordered first; its rows, and what
   * hangs on them, are read for those keys alone. The limits stand in the text, for PostgreSQL plans by them.
   */
  page(request: PageRequest): Statement;
  /** How many items there are, in `total`. */
  count(request: CollectionRequest): Statement;
}

/** Compiles what is the same for all requests that read a collection in one language. */
export function collectionStatements(source: RowSource, settings: ReadSettings): CollectionStatements {
  const table = tableOf(source.type);
  const { select, joins } = representationSelect(source.type, settings);
  const options = { model: objectModel, root: source.type.name, alias: 'k', settings: sqlSettings(settings) };

  const where = ({ query, ownerId }: CollectionRequest, parameters: SqlParameters): string => {
    const owner = source.ownerColumn === undefined ? '' : parameters.add(ownerId);
    const { text } = compileConditionSql(query.condition, { ...options, parameters });
    return [...conditionsOf(source, 'k', owner), text].join(' AND ');
  };

  return {
    page(request) {
      const parameters = new SqlParameters();
      const sort = compileSortSql(request.query.sort, options);
      const keys = `SELECT k.id FROM ${table} k ${sort.joins} WHERE ${where(request, parameters)} ORDER BY ${sort.orderBy}`;
      const text = `SELECT '[' || coalesce(string_agg(row_to_json(r)::text, ','), '') || ']' AS body FROM (
        SELECT ${select} FROM unnest(ARRAY(${keys} LIMIT ${request.limit} OFFSET ${request.offset})) WITH ORDINALITY AS p(id, position)
        JOIN ${table} t ON t.id = p.id ${joins} ORDER BY p.position) r`;
      return { text, parameters: parameters.values };
    },
    count(request) {
      const parameters = new SqlParameters();
      const text = `SELECT count(*) AS total FROM ${table} k WHERE ${where(request, parameters)}`;
      return { text, parameters: parameters.values };
    },
  };
}
