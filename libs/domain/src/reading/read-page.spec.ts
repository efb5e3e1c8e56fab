import { readCollectionQuery } from '@ats/search-query';
import { describe, expect, it } from '@jest/globals';
import { candidates } from '../objects/user.model.js';
import { collectionStatements, type CollectionStatements } from './collection-statement.js';
import { PlanChoice } from './plan-choice.js';
import { type Reads } from './collection-statement.js';
import { readPage } from './read-page.js';
import { searchSubject } from './search-subject.js';

/** A server on which all plans cost the same and all tables are empty. */
const nothing: Reads = {
  query: <Row extends object>({ text }: { readonly text: string }) =>
    Promise.resolve(
      (text.startsWith('EXPLAIN') ? [{ 'QUERY PLAN': [{ Plan: { 'Total Cost': 1 } }] }] : []) as unknown as Row[],
    ),
};

/** Wraps the statements of a collection and counts how often each is compiled. */
function counted(statements: CollectionStatements): {
  readonly statements: CollectionStatements;
  readonly compiled: Record<string, number>;
} {
  const compiled: Record<string, number> = {};
  const counting = Object.entries(statements).map(([name, compile]: [string, (request: never) => unknown]) => [
    name,
    (request: never) => {
      compiled[name] = (compiled[name] ?? 0) + 1;
      return compile(request);
    },
  ]);
  return { statements: Object.fromEntries(counting) as CollectionStatements, compiled };
}

describe('readPage', () => {
  it('compiles each statement once for a page with a condition', async () => {
    const query = readCollectionQuery(searchSubject(candidates.type), {
      search: ['lastname=~x'],
      sort: ['lastname!asc'],
    });
    if (query.violations) throw new Error('the query is invalid');
    const { statements, compiled } = counted(
      collectionStatements(candidates, { baseUrl: 'https://ats.example.com', language: 'en' }),
    );
    const page = await readPage(nothing, { statements, choice: new PlanChoice() }, { query, limit: 10 });
    expect([page.body.toString(), compiled]).toEqual(['[]', { lookups: 1, keys: 1, count: 1 }]);
  });
});
