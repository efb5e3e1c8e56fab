import { DatapathColumns } from '@ats/search-query';
import { getObjectType, objectModel } from '../model/object-model.js';
import { type ObjectType } from '../model/object-type.js';
import { formatValue, sqlSettings, tableOf, type ReadSettings } from '../model/representation-sql.js';
import { type EventSubject } from './event-types.js';

/** Values by canonical datapath, root included: `application.user.firstname`. Lists for datapaths through a to-many. */
export type Facts = Readonly<Record<string, unknown>>;

/** Anything that runs a statement: the database or a transaction. */
export type RunQuery = (text: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * What the datapaths of one object say, in one statement.
 * @param datapaths  with the root's name in front; all must be known to the model
 * @returns null when the object is gone
 */
export async function readDatapaths(
  run: RunQuery,
  subject: { readonly type: EventSubject; readonly id: number },
  datapaths: readonly string[],
  settings: ReadSettings,
): Promise<Facts | null> {
  const [row] = await run(datapathsStatement(subject.type, datapaths, settings), [subject.id]);
  if (!row) return null;
  return Object.fromEntries(datapaths.map((datapath, index) => [datapath, row[`c${index}`] ?? null]));
}

function datapathsStatement(root: EventSubject, datapaths: readonly string[], settings: ReadSettings): string {
  const columns = new DatapathColumns({ model: objectModel, root, alias: 't', settings: sqlSettings(settings), format: formatValue });
  const select = datapaths.map((datapath, index) => `${columns.column(datapath.slice(root.length + 1))} AS c${index}`);
  return `SELECT ${select.join(', ')} FROM ${tableOf(getObjectType(root))} t ${columns.joins} WHERE t.id = $1`;
}

const standard = new Map<EventSubject, readonly string[]>();

/**
 * The datapaths that every event carries, whatever topics there are: all attributes of its subject and of the objects one
 * step away. Objects that live in the subject's own row do not count as a step. NOTIFIER.md 1.
 */
export function standardDatapaths(root: EventSubject): readonly string[] {
  const known = standard.get(root);
  if (known) return known;
  const paths = attributesBelow(getObjectType(root), root, 1);
  standard.set(root, paths);
  return paths;
}

function attributesBelow(type: ObjectType, prefix: string, stepsLeft: number): readonly string[] {
  const own = Object.keys(type.attributes).map((name) => `${prefix}.${name}`);
  const related = Object.entries(type.relations).flatMap(([name, relation]) => {
    const cost = relation.join ? 1 : 0;
    if (relation.many || cost > stepsLeft) return [];
    return attributesBelow(getObjectType(relation.target), `${prefix}.${name}`, stepsLeft - cost);
  });
  return [...own, ...related];
}
