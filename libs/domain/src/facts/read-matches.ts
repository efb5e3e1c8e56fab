import { datapathsOf, parseExpression } from '@ats/datapath';
import { type CollectionQuery, type Invalid, readCollectionQuery } from '@ats/search-query';
import { getObjectType } from '../objects/object-model.js';
import { type ReadSettings } from '../reading/representation-sql.js';
import { type RunQuery } from '../reading/run-query.js';
import { DATAPATH_SYNTAX } from '../vocabulary/form-data.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { modelForTexts } from './form-items.js';
import { readDatapathsOfMany } from './read-datapaths.js';
import { subjectForTexts } from './search-subject.js';
import { shownValue } from './shown-value.js';

/** An object that an expression matches now. Source: docs/reference/expressions.md, "Previews". */
export interface MatchingObject {
  readonly id: number;
  readonly url: string | null;
  /** The values by datapath, in the order of the expression. Long texts are shortened. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The matching objects that were read. */
export interface MatchingObjects {
  readonly items: readonly MatchingObject[];
  /** Ids of the users whose data the values may contain. */
  readonly people: readonly number[];
}

/** The objects whose values are read, and the datapaths of these values. */
export interface MatchesRequest {
  readonly type: ObjectType;
  readonly ids: readonly number[];
  /** The datapaths to show, including the root's name. */
  readonly datapaths: readonly string[];
  /** Returns the datapath to read instead of a shown datapath. Defaults to the shown datapath. */
  readonly readAs?: (datapath: string) => string;
}

/** Maximum number of objects that are in memory at once, because one rich text may have a megabyte. */
const OBJECTS_AT_ONCE = 10;
const MAX_MS = 3_000;

/**
 * Reads an expression as a condition on stored objects. A blank expression matches all objects.
 * @returns the query, or the violations of the expression. The violations name the parameter `where`
 */
export async function readMatchQuery(
  run: RunQuery,
  type: ObjectType,
  expression: string,
): Promise<CollectionQuery | Invalid> {
  const isBlank = expression.trim() === '';
  return readCollectionQuery(
    await subjectForTexts(run, type, [], { where: expression }),
    isBlank ? {} : { where: expression },
  );
}

/** Returns the datapaths of a valid expression in their order, including the root's name. */
export const expressionDatapaths = (expression: string): readonly string[] =>
  datapathsOf(parseExpression(expression, DATAPATH_SYNTAX));

/** Reads the values of matching objects. It stops after 3 seconds, but reads at least one batch of objects. */
export async function readMatches(
  run: RunQuery,
  { type, ids, datapaths, readAs = (datapath) => datapath }: MatchesRequest,
  settings: ReadSettings,
): Promise<MatchingObjects> {
  const url = `${type.name}.url`;
  const hasUrl = Object.hasOwn(type.attributes, 'url');
  const people = peopleIn(type, datapaths);
  const wanted = [...new Set([...datapaths.map(readAs), ...people, ...(hasUrl ? [url] : [])])];
  const model = await modelForTexts(run, wanted);
  const items: MatchingObject[] = [];
  const found = new Set<number>();
  const until = performance.now() + MAX_MS;
  for (let next = 0; next < ids.length && (next === 0 || performance.now() < until); next += OBJECTS_AT_ONCE) {
    const part = ids.slice(next, next + OBJECTS_AT_ONCE);
    const values = await readDatapathsOfMany(
      run,
      { type: type.name, ids: part },
      { datapaths: wanted, model, settings },
    );
    for (const id of part) {
      const own = values.get(id);
      if (!own) continue; // The object was deleted after it was found.
      const shown = datapaths.map((datapath) => [datapath, shownValue(own[readAs(datapath)] ?? null)] as const);
      items.push({ id, url: (own[url] ?? null) as string | null, values: Object.fromEntries<unknown>(shown) });
      for (const person of people.flatMap((datapath) => own[datapath] ?? [])) found.add(Number(person));
    }
  }
  return { items, people: [...found] };
}

/** The table of all people: candidates and recruiters. */
const PEOPLE = 'users';

/** Returns the datapaths to the ids of the people whose values the given datapaths may show. */
function peopleIn(root: ObjectType, datapaths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const note = (type: ObjectType, path: string): void => {
    if (type.table === PEOPLE) found.add(`${path}.id`);
    // The values of an application, a communication or a document may say something about its candidate. So the
    // candidate is included.
    else if (type.relations['candidate']) found.add(`${path}.candidate.id`);
  };
  if (datapaths.length > 0) note(root, root.name);
  for (const datapath of datapaths) {
    let type = root;
    let path = root.name;
    for (const name of datapath.split('.').slice(1, -1)) {
      const relation = type.relations[name];
      if (!relation) break;
      type = getObjectType(relation.target);
      path = `${path}.${name}`;
      note(type, path);
    }
  }
  return [...found];
}
