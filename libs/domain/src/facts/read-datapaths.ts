import { DatapathError, parseDatapath, resolveDatapath } from '@ats/datapath';
import { DatapathColumns, type SqlObjectModel } from '@ats/search-query';
import { type RunQuery } from '../reading/run-query.js';
import { modelForTexts } from './form-items.js';
import { type FormOwner } from '../objects/form-value.model.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { formatValue, sqlSettings, tableOf, type ReadSettings } from '../reading/representation-sql.js';
import { EVENT_ROOTS, type EventSubject, type EventType, isWholeSnapshot } from '../objects/event-types.js';
import { isOwnFormValue, itemIdsOf, ownFormValue, ownFormValuesSql, type OwnFormValues } from './own-form-values.js';

/**
 * Values by canonical datapath including its root, such as `application.user.firstname`. A datapath through a to-many
 * relation has a list as value.
 */
export type DatapathValues = Readonly<Record<string, unknown>>;

/**
 * Reads the values of datapaths of one object, in one statement. The value of a deleted form item is null.
 * @param datapaths  including the root's name. The model must know all of them except form items
 * @returns null when the object does not exist
 */
export async function readDatapaths(
  run: RunQuery,
  { type, id }: { readonly type: EventSubject; readonly id: number },
  datapaths: readonly string[],
  settings: ReadSettings,
): Promise<DatapathValues | null> {
  return (await readDatapathsOfSubjects(run, { type, ids: [id] }, datapaths, settings)).get(id) ?? null;
}

/** The objects of one type whose values are read. */
interface Objects<Type extends string = string> {
  readonly type: Type;
  readonly ids: readonly number[];
  /** For deliveries: their earliest and latest `occurred_dt`, so that only the partitions of these days are read. */
  readonly occurred?: readonly [from: Date, to: Date];
}

/** Like {@link readDatapaths}, for many objects. The result has no entry for missing objects. */
export async function readDatapathsOfSubjects(
  run: RunQuery,
  subjects: Objects<EventSubject>,
  datapaths: readonly string[],
  settings: ReadSettings,
): Promise<ReadonlyMap<number, DatapathValues>> {
  const model = await modelForTexts(run, datapaths);
  const known = datapaths.filter(
    (datapath) => !datapath.includes('.formdata.') || isKnown(datapath, subjects.type, model),
  );
  const found = await readDatapathsOfMany(run, subjects, { datapaths: known, model, settings });
  return new Map(
    [...found].map(([id, values]) => [
      id,
      Object.fromEntries(datapaths.map((datapath) => [datapath, values[datapath] ?? null])),
    ]),
  );
}

export interface DatapathsRequest {
  /** Datapaths including the root's name. The model must know all of them. */
  readonly datapaths: readonly string[];
  readonly model: SqlObjectModel;
  readonly settings: ReadSettings;
}

/**
 * Reads the values of datapaths of many objects of one type, in one statement. The result has no entry for missing
 * objects.
 */
export async function readDatapathsOfMany(
  run: RunQuery,
  { type, ids, occurred }: Objects,
  { datapaths, model, settings }: DatapathsRequest,
): Promise<ReadonlyMap<number, DatapathValues>> {
  const columns = new DatapathColumns({
    model,
    root: type,
    alias: 't',
    settings: sqlSettings(settings),
    format: formatValue,
  });
  const ownValues = datapaths.filter((datapath) => isOwnFormValue(type, datapath));
  const hasOwnValues = ownValues.length > 0;
  const others = datapaths.filter((datapath) => !isOwnFormValue(type, datapath));
  const select = others.map((datapath, index) => `${columns.column(datapath.slice(type.length + 1))} AS c${index}`);
  const forms = hasOwnValues
    ? [`${ownFormValuesSql(type as FormOwner, { alias: 't', itemIds: '$2', settings })} AS own_values`]
    : [];
  const parameters: unknown[] = [ids, ...(hasOwnValues ? [itemIdsOf(ownValues)] : [])];
  const period = occurred
    ? `AND t.occurred_dt BETWEEN $${parameters.push(occurred[0])} AND $${parameters.push(occurred[1])}`
    : '';
  const rows = await run(
    `SELECT ${['t.id AS id', ...select, ...forms].join(', ')} FROM ${tableOf(getObjectType(type))} t ${columns.joins}
     WHERE t.id = ANY($1) ${period}`,
    parameters,
  );
  return new Map(
    rows.map((row) => {
      const otherValues = others.map((datapath, index) => [datapath, row[`c${index}`] ?? null]);
      const formValues = ownValues.map((datapath) => [
        datapath,
        ownFormValue(row['own_values'] as OwnFormValues, datapath),
      ]);
      return [Number(row['id']), Object.fromEntries([...otherValues, ...formValues]) as DatapathValues];
    }),
  );
}

function isKnown(datapath: string, root: string, model: SqlObjectModel): boolean {
  try {
    resolveDatapath(parseDatapath(datapath, model), model, root);
    return true;
  } catch (error) {
    if (error instanceof DatapathError) return false;
    throw error;
  }
}

const standard = new Map<EventSubject, readonly string[]>();

/**
 * Returns the datapaths whose values a whole snapshot stores, even when no topic uses them. These are all attributes of
 * the subject, and of the objects that one to-one relation leads to. A relation to an object in the same row does not
 * count. Values that are costly or that expressions cannot use are left out. Source: docs/reference/notifications.md.
 */
export function standardDatapaths(root: EventSubject): readonly string[] {
  const known = standard.get(root);
  if (known) return known;
  const paths = attributesBelow(getObjectType(root), root, 1);
  standard.set(root, paths);
  return paths;
}

const own = new Map<EventSubject, readonly string[]>();

/**
 * Returns the datapaths whose values a snapshot can store without a further read: columns of the subject's row that are
 * not personal, and ids of the objects that the row refers to. Texts that can be long are left out.
 */
export function ownDatapaths(root: EventSubject): readonly string[] {
  const known = own.get(root);
  if (known) return known;
  const { attributes, relations } = getObjectType(root);
  const paths = [
    ...Object.entries(attributes)
      .filter(([, one]) => one.column && one.inFacts && !one.personal && !one.isLocalised && one.type !== 'rich_text')
      .map(([name]) => `${root}.${name}`),
    ...Object.entries(relations)
      .filter(([, { column, inFacts }]) => column !== undefined && inFacts)
      .map(([name]) => `${root}.${name}.id`),
  ];
  own.set(root, paths);
  return paths;
}

/** Returns the datapaths whose values all events of a type store, even when no topic uses them. */
export const snapshotDatapaths = (type: EventType): readonly string[] =>
  isWholeSnapshot(type) ? standardDatapaths(EVENT_ROOTS[type]) : ownDatapaths(EVENT_ROOTS[type]);

function attributesBelow(type: ObjectType, prefix: string, stepsLeft: number): readonly string[] {
  const isSubject = !prefix.includes('.');
  const stored = Object.entries(type.attributes).filter(
    ([, { inFacts, isOnDemand }]) => inFacts && (isSubject || isOnDemand !== true),
  );
  const own = stored.map(([name]) => `${prefix}.${name}`);
  const related = Object.entries(type.relations).flatMap(([name, relation]) => {
    const cost = relation.join ? 1 : 0;
    // A snapshot does not need the values of settings: they are the same for all objects.
    if (relation.many || !relation.inFacts || cost > stepsLeft || name in type.fromSettings) return [];
    return attributesBelow(getObjectType(relation.target), `${prefix}.${name}`, stepsLeft - cost);
  });
  return [...own, ...related];
}
