import { type Condition } from '@ats/search-query';
import { LRUCache } from 'lru-cache';
import { type ReadStatement } from '@ats/postgres';
import { type Reads } from './collection-statement.js';

/** The two ways to find a page. */
export interface Ways {
  /** Goes along the order and takes what matches until there is enough. */
  readonly walk: ReadStatement;
  /** Finds all that match, as counting does. */
  readonly all: ReadStatement;
  readonly condition: Condition;
}

/** Beyond this, in the planner's units, finding all is no sure way either: some hundred thousand rows. */
const MAX_COST = 50_000;
/** Finding all must cost at most this part of a walk to the very end … */
const SHARE = 1 / 20;
/**
 * … or this part, where the condition names a moment (what is old stands together in most orders, and so does what is new) and
 * where a walk was long with other values.
 */
const SHARE_OF_SUSPECTS = 1 / 4;

/**
 * Chooses how a page is found. PostgreSQL walks along an order when it expects to find enough matches soon, for it takes them
 * to be spread evenly. Where they all stand at the far end, as the newest do in the order of ids, or where there are none, it
 * walks by everything. So the sure way is taken when it costs little beside the longest walk, and after a walk that was long.
 */
export class PlanChoice {
  readonly #known = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000 });
  /** Texts of statements that have walked for long, alone and with their values. */
  readonly #slow = new LRUCache<string, true>({ max: 1_000, ttl: 600_000 });

  /** Whether to find all that match first. */
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

  /** To be told how long a walk took. */
  noteWalk(walk: ReadStatement, tookMs: number): void {
    if (tookMs < SLOW_MS || this.#slow.has(keyOf(walk))) return;
    this.#slow.set(walk.text, true);
    this.#slow.set(keyOf(walk), true);
    this.#known.delete(keyOf(walk));
  }

  #shareOf(walk: ReadStatement, condition: Condition): number {
    if (this.#slow.has(keyOf(walk))) return 1;
    return namesMoment(condition) || this.#slow.has(walk.text) ? SHARE_OF_SUSPECTS : SHARE;
  }
}

const keyOf = ({ text, parameters }: ReadStatement): string => JSON.stringify([text, parameters]);

/** What was expected to end soon has not. */
const SLOW_MS = 200;

/** No walk that is worth thinking about. */
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
  if (!plan) throw new Error('EXPLAIN gives one plan');
  return plan;
}

/** What it costs to read all that the limits of a page cut off. */
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
    case 'comparison':
      return condition.operand.kind === 'datetime' || condition.operand.kind === 'date';
  }
}

/** True for a condition that every item fulfils. */
export const matchesAll = (condition: Condition): boolean =>
  condition.kind === 'all' && condition.conditions.every(matchesAll);
