import { describe, expect, it } from '@jest/globals';
import { compileSortSql, readCollectionQuery } from '@ats/search-query';
import { useTestDatabase } from '../../test/test-database.js';
import { objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { findResource } from '../vocabulary/resource.js';
import { collectionStatements } from './collection-statement.js';
import { type LayoutColumn, readLayoutColumn } from './layout-column.js';
import { itemStatement, type ReadSettings } from './representation-sql.js';
import { searchSubject } from './search-subject.js';

const own = useTestDatabase();

interface PlanNode {
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Returns how often the plan of a statement counts the applications of an opportunity. */
async function countsIn(text: string, parameters: readonly unknown[]): Promise<number> {
  const [row] = await own.database.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    parameters,
  );
  const count = (node: PlanNode): number =>
    (node.Plans ?? []).reduce(
      (sum, child) => sum + count(child),
      Number(/^counted\b|^counted_/.test(node.Alias ?? '')),
    );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('EXPLAIN of a statement returned no query plan');
  return count(plan);
}

function resourceOf(name: string) {
  const resource = findResource(name);
  if (!resource) throw new Error(`there is no resource ${name}`);
  return resource;
}

function columnOf(type: ObjectType, datapath: string): LayoutColumn {
  const column = readLayoutColumn(type, datapath);
  if ('violations' in column) throw new Error(String(column.violations[0]));
  return column;
}

const settingsWith = (type: ObjectType, datapaths: readonly string[]): ReadSettings => ({
  baseUrl: 'https://ats.example.com',
  language: 'en',
  layout: { columns: datapaths.map((datapath) => columnOf(type, datapath)) },
});

const times = (count: number, ...datapaths: readonly string[]): readonly string[] =>
  Array.from({ length: count }, (_, index) => datapaths[index % datapaths.length] ?? '');

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('a value of a layout is computed once for each item', () => {
  it.each<[string, readonly string[], number]>([
    ['applications', times(100, 'application.opportunity.application_count'), 1],
    ['applications', times(100, 'opportunity.application_count', 'vacancy.application_count'), 2],
    // The representation of a vacancy and the layout show the same count. It is computed once.
    ['vacancies', times(100, 'vacancy.application_count'), 1],
    ['vacancies', times(50, 'vacancy.application_count', 'vacancy.title'), 1],
    ['applications', times(100, 'application.reference'), 0],
  ])('in a layout for %s (%#)', async (name, datapaths, counts) => {
    const resource = resourceOf(name);
    const settings = settingsWith(resource.type, datapaths);
    const page = collectionStatements(resource, settings).rows('{1,2,3}');
    expect(await countsIn(page.text, page.parameters)).toBe(counts);
    expect(await countsIn(itemStatement(resource, settings), [1])).toBe(counts);
  });

  it('when it is a list or a text: the statement contains its SQL once', () => {
    const resource = resourceOf('applications');
    for (const [datapath, part] of [
      ['candidate.Phone.Number', 'FROM candidate_phones'],
      ['opportunity.description', 'description_plain'],
    ] as const) {
      const settings = settingsWith(resource.type, times(100, datapath));
      const { text } = collectionStatements(resource, settings).rows('{1}');
      expect([datapath, occurrences(text, part)]).toEqual([datapath, 1]);
    }
  });

  it('a representation without a layout shares no values', () => {
    for (const name of ['applications', 'candidates', 'vacancies'])
      expect(itemStatement(resourceOf(name), { baseUrl: '', language: 'en' })).not.toContain('t_s.');
  });
});

describe('a sort key is computed once for each item', () => {
  it('even when a request sorts by it several times and begins after a position', () => {
    const { type } = resourceOf('applications');
    const query = readCollectionQuery(searchSubject(type), {
      search: [],
      sort: times(8, 'opportunity.application_count!desc'),
    });
    if (query.violations) throw new Error('the sort keys are valid');
    const sql = compileSortSql(query.sort, { model: objectModel, root: type.name, alias: 'k', settings: {} });
    expect(occurrences(sql.joins, 'count(*)')).toBe(1);
    expect(sql.columns.map((column) => occurrences(column.sql, 'count(*)'))).toEqual(times(9, '').map(() => 0));
  });
});
