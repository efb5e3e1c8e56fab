import { type AttributePlace } from '@ats/datapath';
import { LRUCache } from 'lru-cache';
import { describedValues } from '../objects/closed-values.js';
import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { type RunQuery } from '../reading/run-query.js';
import { modelForTexts } from './form-items.js';

/**
 * Returns the object model for checking texts that clients send or write. It has the form items that the texts name,
 * and the closed lists of values: a comparison with a value outside its list is a violation. For stored texts use
 * {@link modelForTexts}, which accepts every value, because a list may have lost values after a text was stored.
 */
export async function modelForNewTexts(run: RunQuery, texts: readonly string[]): Promise<DomainModel> {
  const [model, lists] = await Promise.all([modelForTexts(run, texts), readRowLists(run, texts)]);
  return { ...model, closedValues: (place) => closedValuesAt(place, lists) };
}

/**
 * Returns the model without its closed lists. Checks with this model also accept stored texts whose values are no
 * longer in a list.
 */
export function withoutLists({ closedValues: _lists, ...model }: DomainModel): DomainModel {
  return model;
}

/** The closed lists that consist of table rows, by {@link keyOf}. */
type RowLists = ReadonlyMap<string, readonly string[]>;

function closedValuesAt(place: AttributePlace, lists: RowLists): readonly string[] | undefined {
  const attribute = getObjectType(place.owner).attributes[place.name];
  return attribute?.listed === 'rows' ? lists.get(keyOf(place)) : attribute && describedValues(attribute);
}

/**
 * Returns the key of a closed list that consists of table rows. An attribute has several such lists when datapaths lead
 * through a relation that reaches only a part of the rows.
 */
const keyOf = ({ owner, name, through }: AttributePlace): string => `${owner}.${name} ${conditionOf(through)}`;

const conditionOf = (through: AttributePlace['through']): string =>
  (through && getObjectType(through.owner).relations[through.relation]?.among?.('t')) ?? 'true';

/** The lists that consist of table rows: their keys, the statement that reads them all, and a match of their names. */
interface Source {
  readonly keys: readonly string[];
  readonly sql: string;
  readonly named: RegExp;
}

function sourceOfLists(): Source {
  const relations = objectModel.types.flatMap(({ name, relations }) =>
    Object.entries(relations).map(([relation, { target }]) => ({ target, through: { owner: name, relation } })),
  );
  const attributes = objectModel.types.flatMap(({ name: owner, table = '', attributes }) =>
    Object.entries(attributes).flatMap(([name, { listed, column }]) =>
      listed === 'rows' ? [{ owner, table, name, value: `t.${column?.name ?? name}` }] : [],
    ),
  );
  const lists = attributes.flatMap(({ owner, table, name, value }) => {
    const throughs = [undefined, ...relations.flatMap(({ target, through }) => (target === owner ? [through] : []))];
    return throughs.map((through): [key: string, sql: string] => {
      const rows = `SELECT ${value} FROM ${table} t WHERE ${conditionOf(through)}`;
      const key = keyOf({ owner, name, ...(through && { through }) });
      return [key, `ARRAY(${rows} GROUP BY ${value} ORDER BY min(t.id))`];
    });
  });
  const keys = [...new Map(lists).keys()];
  const arrays = [...new Map(lists).values()].map((array, index) => `${array} AS list${index}`);
  const names = new Set(attributes.map(({ name }) => name));
  return { keys, sql: `SELECT ${arrays.join(', ')}`, named: new RegExp(`\\b(?:${[...names].join('|')})\\b`) };
}

let source: Source | undefined;

/** Keeps the lists for a minute: operators rarely add rows, and a statement for each search would cost a tenth of it. */
const kept = new LRUCache<'lists', RowLists>({ max: 1, ttl: 60_000, ttlResolution: 0 });

/** Returns the lists that consist of table rows. Runs no statement when the texts name none of their attributes. */
async function readRowLists(run: RunQuery, texts: readonly string[]): Promise<RowLists> {
  source ??= sourceOfLists();
  const { keys, sql, named } = source;
  if (!texts.some((text) => named.test(text))) return new Map();
  const known = kept.get('lists');
  if (known) return known;
  const [row = {}] = await run(sql, []);
  const lists = new Map(keys.map((key, index) => [key, row[`list${index}`] as readonly string[]]));
  kept.set('lists', lists);
  return lists;
}
