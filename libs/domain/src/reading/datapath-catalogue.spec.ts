import { checkExpression, DatapathError, parseExpression } from '@ats/datapath';
import { describe, expect, it } from '@jest/globals';
import { readCollectionQuery } from '@ats/search-query';
import { factsModel } from '../facts/facts-model.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { allResources } from '../vocabulary/resource.js';
import { type CatalogueEntry, type DatapathUse, datapathRoots, listDatapaths } from './datapath-catalogue.js';
import { readLayoutColumn } from './layout-column.js';
import { searchSubject } from './search-subject.js';

const list = (root: string, prefix: readonly string[] = [], text?: string): readonly CatalogueEntry[] =>
  listDatapaths({ root, prefix, text, items: [] });
const namesOf = ({ path }: CatalogueEntry): readonly string[] => path.split('.').slice(1);

/** Returns the entries that begin at a root, and those that begin at the target of each of its relations. */
const entriesOf = (root: string): readonly CatalogueEntry[] =>
  list(root).flatMap((entry) => [entry, ...(entry.type === 'reference' ? list(root, [...namesOf(entry), '']) : [])]);

const model = factsModel(objectModel);

function isExpression(root: string, path: string): boolean {
  try {
    checkExpression(parseExpression(`${path} == NULL`, model), model, [root]);
    return true;
  } catch (error) {
    if (error instanceof DatapathError) return false;
    throw error;
  }
}

/** Maps each use of datapaths to a function that checks whether the service accepts a datapath for this use. */
const ACCEPTS: Readonly<Record<Exclude<DatapathUse, 'filter'>, (root: string, path: string) => boolean>> = {
  search: (root, path) =>
    !readCollectionQuery(searchSubject(getObjectType(root)), { search: [`${path}=`], sort: [] }).violations,
  sort: (root, path) =>
    !readCollectionQuery(searchSubject(getObjectType(root)), { search: [], sort: [`${path}!asc`] }).violations,
  expressions: isExpression,
  layouts: (root, path) => !('violations' in readLayoutColumn(getObjectType(root), path)),
  templates: (root, path) => !('violations' in readLayoutColumn(getObjectType(root), path)),
};

describe.each([...datapathRoots()])('the datapaths of %s', (root) => {
  const entries = entriesOf(root).filter(({ type }) => type !== 'formdata');
  const isCollection = allResources().some(({ type }) => type.name === root);

  it.each(Object.entries(ACCEPTS))('are accepted exactly when the catalogue lists this use: %s', (use, accepts) => {
    const listed = entries.filter(({ used_in }) => used_in.includes(use as DatapathUse));
    expect(listed.filter(({ path }) => !accepts(root, path)).map(({ path }) => path)).toEqual([]);
    const isUsed = use === 'search' || use === 'sort' ? isCollection : listed.length > 0;
    const others = isUsed ? entries.filter((entry) => !listed.includes(entry)) : [];
    // The catalogue does not offer a relation for a search when its objects have no id. A search still accepts it, to
    // ask whether there is any such object.
    const wrong = others.filter(({ path, type }) => accepts(root, path) && !(use === 'search' && type === 'reference'));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('are the attributes and relations of the object model, without duplicates', () => {
    const { properties, hasFormData } = getObjectType(root);
    const names = [...Object.keys(properties), ...(hasFormData ? ['formdata'] : [])];
    expect(list(root).map(({ path }) => path)).toEqual(names.map((name) => `${root}.${name}`));
    const paths = entriesOf(root).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('listDatapaths', () => {
  it('completes the last name of a prefix, and expands a relation', () => {
    expect(list('application', ['us']).map(({ path }) => path)).toEqual(['application.user']);
    const expanded = list('application', ['user']).map(({ path }) => path);
    expect(expanded).toEqual(expect.arrayContaining(['application.user', 'application.user.firstname']));
    expect(list('application', ['user', 'first']).map(({ path }) => path)).toEqual(['application.user.firstname']);
    expect(list('application', ['nothing', ''])).toEqual([]);
  });

  it('finds a text in datapaths through further relations', () => {
    const found = list('application', [], 'FIRSTNAME').map(({ path }) => path);
    expect(found).toEqual(
      expect.arrayContaining(['application.user.firstname', 'application.opportunity.owner.firstname']),
    );
    expect(found.length).toBeLessThan(100);
  });

  it('lists no datapath with more than 16 names', () => {
    const circle = (length: number): string[] => Array.from({ length }, () => 'copied_from');
    expect(list('application', [...circle(14), '']).map(({ path }) => path.split('.').length)).toContain(16);
    expect(list('application', [...circle(15), ''])).toEqual([]);
  });

  it('names the scopes of every resource that a datapath goes through', () => {
    const [language] = list('application', ['user', 'language']);
    expect(language?.scopes).toEqual(['applications:read', 'users:read']);
    const [firstname] = list('application', ['user', 'firstname']);
    expect(firstname?.scopes).toEqual(['applications:read']);
  });
});

it('the catalogue lists no datapath that follows the same list twice', () => {
  const once = 'notification_endpoint.subscriptions.id';
  const twice = 'notification_endpoint.subscriptions.endpoint.subscriptions.id';
  const path = ['endpoint', 'subscriptions', 'endpoint', ''];
  expect(list('notification_subscription', path.slice(0, 2)).map(namesOf)).toContainEqual([
    'endpoint',
    'subscriptions',
  ]);
  expect(list('notification_subscription', path).map(namesOf)).not.toContainEqual([
    'endpoint',
    'subscriptions',
    'endpoint',
    'subscriptions',
  ]);
  expect(list('notification_subscription', [...path.slice(0, 3), 'subscriptions', ''], 'id')).toEqual([]);
  for (const accepts of [ACCEPTS.search, ACCEPTS.layouts, ACCEPTS.templates])
    expect([once, twice].map((path) => accepts('notification_endpoint', path))).toEqual([true, false]);
});
