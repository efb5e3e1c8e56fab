import {
  type CollectionParameters,
  type CollectionQuery,
  searchViolationMessage,
  readCollectionQuery,
  SEARCH_LIMITS,
} from '@ats/search-query';
import { type RunQuery } from '../../reading/run-query.js';
import { subjectForTexts } from '../../facts/search-subject.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { type Violation } from '../../vocabulary/validation-error.js';

/** The query parameters of a stored search, from the database or from a request body. They are not checked. */
export interface SearchTexts {
  readonly search?: unknown;
  readonly filter?: unknown;
  readonly where?: unknown;
  readonly sort?: unknown;
}

/** The texts of a stored search, which were checked when they were written. */
export interface StoredTexts {
  readonly search?: readonly string[];
  readonly where?: string | null;
}

/**
 * Reads a stored search in the same way as the query parameters of its collection. It skips values that are not texts,
 * because the schema of the body reports them.
 * @param run  looks up the form items that the texts name
 * @param type  the type of the collection's items
 * @param stored  the texts that are already stored; they may still compare with values that a closed list no longer has
 * @returns the query, or all violations of all texts, each at its JSON pointer
 * Source: docs/reference/search.md.
 */
export async function readSearchTexts(
  run: RunQuery,
  type: ObjectType,
  texts: SearchTexts,
  stored: StoredTexts = {},
): Promise<CollectionQuery | { readonly violations: readonly Violation[] }> {
  const search = listed(texts.search, SEARCH_LIMITS.conditions);
  const filter = typeof texts.filter === 'string' ? texts.filter : undefined;
  const sort = listed(texts.sort, SEARCH_LIMITS.sortKeys);
  const where = typeof texts.where === 'string' ? texts.where : undefined;
  const known = new Set<string>(stored.search);
  const isKnown = where === undefined || where === stored.where;
  const open = await subjectForTexts(run, type, [...search, ...sort].map(textOf), { isStored: true, where });
  const fresh = search.map(textOf).filter((text) => !known.has(text));
  const isStrict = fresh.length > 0 || !isKnown;
  const strict = isStrict ? await subjectForTexts(run, type, fresh, { where: isKnown ? undefined : where }) : open;
  const violationsAt = (path: string, parameters: Partial<CollectionParameters>, subject = open): Violation[] =>
    toViolations(path, readCollectionQuery(subject, { ...NONE, ...parameters }));
  const violations = [
    ...search.flatMap(({ text, index }) =>
      violationsAt(`/search/${index}`, { search: [text] }, known.has(text) ? open : strict),
    ),
    ...violationsAt('/filter', { filter }),
    ...violationsAt('/where', { where }, isKnown ? open : strict),
    ...sort.flatMap(({ text, index }) => violationsAt(`/sort/${index}`, { sort: [text] })),
  ];
  const query = readCollectionQuery(open, { search: search.map(textOf), filter, where, sort: sort.map(textOf) });
  if (violations.length > 0) return { violations };
  if (!query.violations) return query;
  // The remaining violations are of limits on all texts together. They are reported at `/where` when one of them
  // concerns the expression, and otherwise at `/search`.
  const isOfWhere = query.violations.some(({ parameter }) => parameter === 'where');
  return { violations: toViolations(isOfWhere ? '/where' : '/search', query) };
}

const toViolations = (path: string, { violations }: ReturnType<typeof readCollectionQuery>): Violation[] =>
  (violations ?? []).map((violation) => ({ path, code: 'invalid', info: searchViolationMessage(violation) }));

const NONE: CollectionParameters = { search: [], sort: [] };

interface Listed {
  readonly text: string;
  readonly index: number;
}

const textOf = ({ text }: Listed): string => text;

const listed = (value: unknown, limit: number): readonly Listed[] =>
  Array.isArray(value) && value.length <= limit
    ? value.flatMap((text: unknown, index) => (typeof text === 'string' ? [{ text, index }] : []))
    : [];
