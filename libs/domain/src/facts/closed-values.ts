import { type AttributePlace } from '@ats/datapath';
import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { type RunQuery } from '../reading/run-query.js';
import { type Attribute } from '../vocabulary/attribute.js';
import { modelForTexts } from './form-items.js';

/**
 * Returns the object model for texts that clients send or write: with the form items that they name, and with the
 * closed lists of values. A comparison with a value outside such a list is a violation. Stored texts are read with
 * {@link modelForTexts}, which accepts every value, because a list may have become shorter since.
 */
export async function modelForNewTexts(run: RunQuery, texts: readonly string[]): Promise<DomainModel> {
  const [model, lists] = await Promise.all([modelForTexts(run, texts), readRowLists(run, texts)]);
  return { ...model, closedValues: (place) => closedValuesAt(place, lists) };
}

/** Returns the model for texts that are stored already. */
export function withoutLists({ closedValues: _lists, ...model }: DomainModel): DomainModel {
  return model;
}

/** The closed list of an attribute that is known without the database. */
export const describedValues = ({ values, listed }: Attribute): readonly string[] | undefined =>
  values ?? (typeof listed === 'function' ? listed() : undefined);

type RowLists = ReadonlyMap<string, readonly string[]>;

function closedValuesAt(place: AttributePlace, lists: RowLists): readonly string[] | undefined {
  const attribute = getObjectType(place.owner).attributes[place.name];
  if (attribute === undefined) return undefined;
  return attribute.listed === 'rows' ? lists.get(keyOf(place)) : describedValues(attribute);
}

/** A list that the rows of a table form, or a part of it that a relation can lead to. */
const keyOf = ({ owner, name, through }: AttributePlace): string => `${owner}.${name} ${conditionOf(through)}`;

const conditionOf = (through: AttributePlace['through']): string =>
  (through && getObjectType(through.owner).relations[through.relation]?.among?.('t')) ?? 'true';

interface RowList {
  readonly key: string;
  /** Matches texts that may name the attribute. */
  readonly named: RegExp;
  readonly sql: string;
}

/** All lists that rows form, each for every relation with a condition of its own. */
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

/** Reads the lists from the database. When the texts name no attribute with such a list, no SQL statement is run. */
async function readRowLists(run: RunQuery, texts: readonly string[]): Promise<RowLists> {
  known ??= rowLists();
  const lists = known.filter(({ named }) => texts.some((text) => named.test(text)));
  if (lists.length === 0) return new Map();
  const [row = {}] = await run(`SELECT ${lists.map(({ sql }, index) => `${sql} AS list${index}`).join(', ')}`, []);
  return new Map(lists.map(({ key }, index) => [key, row[`list${index}`] as readonly string[]]));
}
