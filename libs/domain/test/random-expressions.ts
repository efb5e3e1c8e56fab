import { type Attribute } from '../src/vocabulary/attribute.js';
import { type Dice } from './dice.js';
import { type Key } from './random-queries.js';
import { type Pools } from './random-row.js';

export interface ExpressionKeys {
  readonly root: string;
  readonly keys: readonly Key[];
  readonly pools: Pools;
  /** Returns the values that objects have at a datapath. */
  readonly presentAt: (datapath: string) => readonly unknown[];
}

export type Family = 'number' | 'text' | 'boolean' | 'temporal';

/** Returns the family of an attribute. Values of the same family can be compared with each other. */
export const familyOf = ({ type }: Attribute): Family =>
  type === 'integer' || type === 'decimal'
    ? 'number'
    : type === 'boolean'
      ? 'boolean'
      : type === 'date' || type === 'datetime'
        ? 'temporal'
        : 'text';

/** Makes a random expression with any syntax of the language over the given keys. All its names and types are valid. */
export function randomExpression(dice: Dice, from: ExpressionKeys, depth = 2): string {
  if (depth === 0 || dice.chance(0.3)) return comparison(dice, from);
  const part = (): string => `(${randomExpression(dice, from, depth - 1)})`;
  switch (dice.below(5)) {
    case 0:
      return `${part()} AND ${part()}`;
    case 1:
      return `${part()} OR ${part()}`;
    case 2:
      return `NOT ${part()}`;
    case 3:
      return `${part()} ${dice.one(['==', '!='])} ${part()}`;
    default:
      return comparison(dice, from);
  }
}

function comparison(dice: Dice, from: ExpressionKeys): string {
  const key = dice.one(from.keys);
  const { attribute } = key;
  if (!attribute) throw new Error(`the datapath ${key.datapath} does not end at an attribute`);
  const family = familyOf(attribute);
  const path = `${from.root}.${key.datapath}`;
  if (dice.chance(0.15)) return `${path} ${dice.one(['==', '!='])} NULL`;
  if (family === 'boolean') return dice.one([path, `NOT ${path}`, `${path} != TRUE`, `${path} IN (FALSE, NULL)`]);
  const left = moved(dice, path, family);
  if (dice.chance(0.2)) {
    const items = Array.from({ length: 1 + dice.below(3) }, () => literal(dice, from, key).replace(/ - DT.*/, ''));
    return `${left} ${dice.one(['IN', 'NOT IN'])} (${[...items, ...(dice.chance(0.3) ? ['NULL'] : [])].join(', ')})`;
  }
  const order = ['==', '!=', '<', '<=', '>', '>='] as const;
  const operator = dice.one(family === 'text' ? ([...order, '=~', '!~'] as const) : order);
  const others = from.keys.filter((other) => other.attribute && familyOf(other.attribute) === family);
  const right = dice.chance(0.25)
    ? moved(dice, `${from.root}.${dice.one(others).datapath}`, family)
    : literal(dice, from, key, operator.endsWith('~'));
  return dice.chance(0.2) && !operator.endsWith('~') ? `${right} ${operator} ${left}` : `${left} ${operator} ${right}`;
}

/** Adds a random number or duration to the path in some cases, and otherwise returns the path unchanged. */
function moved(dice: Dice, path: string, family: Family): string {
  if (dice.chance(0.6) || family === 'text' || family === 'boolean') return path;
  if (family === 'number') return `${path} ${dice.one(['+', '-'])} ${dice.one(['1', '0.1', '2.5'])}`;
  const parts = [dice.below(5) - 2, ...Array.from({ length: 3 }, () => (dice.chance(0.3) ? dice.below(50) - 25 : 0))];
  return `${path} ${dice.one(['+', '-'])} DTDURATION(${parts.join(',')})`;
}

function literal(dice: Dice, { pools, presentAt }: ExpressionKeys, key: Key, isPiece = false): string {
  const { attribute } = key;
  const present = presentAt(key.datapath).filter(
    (value): value is string | number => typeof value === 'string' || typeof value === 'number',
  );
  const known = present.length > 0 && dice.chance(0.6) ? dice.one(present) : undefined;
  switch (attribute && familyOf(attribute)) {
    case 'number':
      return String(Number(known ?? dice.one([dice.below(20), ...pools.decimals])));
    case 'temporal':
      return dice.one([
        `"${String(known ?? dice.one([...pools.moments, ...pools.dates]))}"`,
        `DATE("${dice.one(pools.dates)}")`,
        'DATE("today")',
        'DATE("now") - DTDURATION(1,2,0,0)',
      ]);
    default: {
      const text = String(known ?? dice.one(pools.texts)).slice(0, isPiece ? 2 : 1000);
      const isWhole = !/[\uD800-\uDFFF]$/.test(text) && (!isPiece || text !== '');
      // Expressions have no escapes for these two control characters.
      return JSON.stringify((isWhole ? text : 'a').replaceAll(/[\b\f]/g, ' '));
    }
  }
}
