import { LRUCache } from 'lru-cache';
import { type AttributePlace } from '@ats/datapath';
import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { type RunQuery } from '../reading/run-query.js';
import { type Attribute } from '../vocabulary/attribute.js';
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

/**
 * Returns the closed list of an attribute when the object model has it. Undefined for a list that consists of table
 * rows.
 */
export const describedValues = ({ values, listed }: Attribute): readonly string[] | undefined =>
  values ?? (typeof listed === 'function' ? listed() : undefined);

type RowLists = ReadonlyMap<string, readonly string[]>;

function closedValuesAt(place: AttributePlace, lists: RowLists): readonly string[] | undefined {
  const attribute = getObjectType(place.owner).attributes[place.name];
  if (attribute === undefined) return undefined;
  return attribute.listed === 'rows' ? lists.get(keyOf(place)) : describedValues(attribute);
}

/**
 * Returns the cache key of a closed list that consists of table rows. An attribute has several such lists when
 * datapaths lead through a relation that reaches only a part of the rows.
 */
const keyOf = ({ owner, name, through }: AttributePlace): string => `${owner}.${name} ${conditionOf(through)}`;

const conditionOf = (through: AttributePlace['through']): string =>
  (through && getObjectType(through.owner).relations[through.relation]?.among?.('t')) ?? 'true';

interface RowList {
  readonly key: string;
  /** Matches texts that may name the attribute. */
  readonly named: RegExp;
  readonly sql: string;
}

/**
 * Returns all closed lists that consist of table rows. A relation that leads to only a part of the rows has a list of
 * its own.
 */
const rowLists = (): readonly RowList[] => {
  const relations = objectModel.types.flatMap(({ name, relations }) =>
    Object.entries(relations).map(([relation, { target }]) => ({ target, through: { owner: name, relation } })),
  );
  const lists = objectModel.types.flatMap(({ name: owner, table = '', attributes }) =>
    Object.entries(attributes).flatMap(([name, { listed, column }]) => {
      if (listed !== 'rows') return [];
      const through = [undefined, ...relations.filter(({ target }) => target === owner).map((one) => one.through)];
      return through.map((relation) => {
        const value = `t.${column?.name ?? name}`;
        const rows = `SELECT ${value} FROM ${table} t WHERE ${conditionOf(relation)}`;
        return {
          key: keyOf({ owner, name, ...(relation && { through: relation }) }),
          named: new RegExp(`\\b${name}\\b`),
          sql: `ARRAY(${rows} GROUP BY ${value} ORDER BY min(t.id))`,
        };
      });
    }),
  );
  return [...new Map(lists.map((list) => [list.key, list])).values()];
};

let known: readonly RowList[] | undefined;

/** Caches the lists by their keys for a minute. Only migrations change these rows. */
const read = new LRUCache<string, readonly string[]>({ max: 1_000, ttl: 60_000 });

/** Returns the lists that the texts may name. Only lists that are not cached are read from the database. */
async function readRowLists(run: RunQuery, texts: readonly string[]): Promise<RowLists> {
  known ??= rowLists();
  const named = known.filter((list) => texts.some((text) => list.named.test(text)));
  const lists = new Map(named.map(({ key }) => [key, read.get(key)]));
  const missing = named.filter(({ key }) => !lists.get(key));
  if (missing.length > 0) {
    const [row = {}] = await run(`SELECT ${missing.map(({ sql }, index) => `${sql} AS list${index}`).join(', ')}`, []);
    for (const [index, { key }] of missing.entries()) {
      const values = row[`list${index}`] as readonly string[];
      read.set(key, values);
      lists.set(key, values);
    }
  }
  return new Map([...lists].map(([key, values = []]) => [key, values]));
}
