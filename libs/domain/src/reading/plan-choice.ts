import { type Condition } from '@ats/search-query';
import { LRUCache } from 'lru-cache';
import { type ReadStatement } from '@ats/postgres';
import { type Reads } from './collection-statement.js';

/** The two ways to find the items of a page. A client gets the same page in both ways. */
export interface Ways {
  /** Statement that reads rows in the requested order until enough of them match. This is called a walk. */
  readonly walk: ReadStatement;
  /** Statement that finds all matches. It is the statement that counts them. */
  readonly all: ReadStatement;
  readonly condition: Condition;
}

/**
 * Finding all matches is chosen only when its cost is below this limit. The unit is that of PostgreSQL's planner; the
 * limit is the cost of some hundred thousand rows.
 */
const MAX_COST = 50_000;
/** Finding all matches is chosen only when its cost is less than this share of the cost of a walk through all rows. */
const SHARE = 1 / 20;
/**
 * Replaces `SHARE` when matches are probably not spread evenly. This applies to conditions on a date or datetime: in
 * most orders, old rows are at one end and new rows at the other. It also applies to statements whose walk was slow
 * with other values.
 */
const UNEVEN_SHARE = 1 / 4;

/**
 * Chooses between two ways to find a page. The usual one is a walk along an index in the requested order. PostgreSQL
 * expects it to end soon, because it assumes that matches are spread evenly. If all matches are at the far end, or if
 * there are none, the walk reads every row. The other way finds all matches first; its time does not depend on where
 * they are. It is chosen when it costs little compared with the longest possible walk, or after a slow walk.
 * Source: docs/adr/0006-find-a-page-then-read-it.md
 */
export class PlanChoice {
  readonly #known = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000 });
  /** Statements whose walk was slow, by two keys for each statement: its SQL text, and its SQL text with its values. */
  readonly #slow = new LRUCache<string, true>({ max: 1_000, ttl: 600_000 });

  /**
   * Returns true when the page should be found through all matches, and false for a walk. It may run EXPLAIN. The
   * choice for a statement and its values is cached for a minute.
   */
  async matchesFirst(reads: Reads, { walk, all, condition }: Ways): Promise<boolean> {
    if (matchesAll(condition)) return false;
    const key = keyOf(walk);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const walkCost = longestWalk(await explain(reads, walk));
    const share = this.#shareOf(walk, condition);
    const allCost =
      walkCost * share < MINIMUM_COST ? Infinity : ((await explain(reads, all))['Total Cost'] ?? Infinity);
    const choice = allCost < MAX_COST && allCost < walkCost * share;
    this.#known.set(key, choice);
    return choice;
  }

  /**
   * Marks the statement of a slow walk, and forgets the cached choice for it. Ignores a walk of less than `SLOW_MS`.
   */
  recordWalk(walk: ReadStatement, tookMs: number): void {
    if (tookMs < SLOW_MS || this.#slow.has(keyOf(walk))) return;
    this.#slow.set(walk.text, true);
    this.#slow.set(keyOf(walk), true);
    this.#known.delete(keyOf(walk));
  }

  #shareOf(walk: ReadStatement, condition: Condition): number {
    if (this.#slow.has(keyOf(walk))) return 1;
    return namesMoment(condition) || this.#slow.has(walk.text) ? UNEVEN_SHARE : SHARE;
  }
}

const keyOf = ({ text, parameters }: ReadStatement): string => JSON.stringify([text, parameters]);

/** A walk of at least this duration counts as slow. */
const SLOW_MS = 200;

/**
 * A walk counts as cheap when its cost, multiplied by the share, is below this limit. A cheap walk is chosen without an
 * EXPLAIN of the statement that finds all matches.
 */
const MINIMUM_COST = 1_000;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Total Cost'?: number;
  readonly Plans?: readonly PlanNode[];
}

async function explain(reads: Reads, { text, parameters }: ReadStatement): Promise<PlanNode> {
  const [row] = await reads.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>({
    text: `EXPLAIN (FORMAT JSON) ${text}`,
    parameters,
  });
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('EXPLAIN of a statement returned no query plan');
  return plan;
}

/** Returns the cost that the plan would have without the limit of the page: the cost of a walk through all rows. */
function longestWalk(plan: PlanNode): number {
  const page = find(plan, (node) => node['Node Type'] === 'Limit');
  return page ? uncut(page) : 0;
}

function uncut(node: PlanNode): number {
  if (node['Node Type'] !== 'Limit' && node['Node Type'] !== 'Append') return node['Total Cost'] ?? 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + uncut(child), 0);
}

function find(node: PlanNode, isWanted: (node: PlanNode) => boolean): PlanNode | undefined {
  if (isWanted(node)) return node;
  for (const child of node.Plans ?? []) {
    const found = find(child, isWanted);
    if (found) return found;
  }
  return undefined;
}

function namesMoment(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.some(namesMoment);
    case 'filter':
      return false;
    case 'expression':
      return condition.paths.some(({ end }) => end.kind === 'attribute' && /^date/.test(end.type));
    case 'comparison':
      return condition.operand.kind === 'datetime' || condition.operand.kind === 'date';
  }
}

/** True when the condition excludes no item, so that every item of the collection matches. */
export const matchesAll = (condition: Condition): boolean =>
  condition.kind === 'all' && condition.conditions.every(matchesAll);
