import { type Condition } from '../checking/condition.js';
import { type IndexKey, keyOf, keysOfList } from './index-key.js';

/** Where a topic is put, and what remains to be judged when an event hits one of its places. */
export interface IndexPlan {
  /** The condition can hold only when one of these does; null when no place says so, and every event has to look. */
  readonly keys: readonly IndexKey[] | null;
  /** All of these have to hold besides. */
  readonly rest: readonly Condition[];
}

/** @param costOf how many topics share the place of a key: the rarest key of an AND is the best */
export function planOf(condition: Condition, costOf: (key: IndexKey) => number): IndexPlan {
  switch (condition.kind) {
    case 'compare': {
      const key = keyOf(condition);
      return key === null ? unplaced(condition) : placed([key]);
    }
    case 'in': {
      const keys = keysOfList(condition);
      return keys === null ? unplaced(condition) : placed(keys);
    }
    case 'constant':
      return condition.value ? { keys: null, rest: [] } : placed([]);
    case 'not':
      return condition.part.kind === 'not' ? planOf(condition.part.part, costOf) : unplaced(condition);
    case 'or':
      return planOfOr(condition, costOf);
    case 'and':
      return planOfAnd(condition.parts, costOf);
  }
}

function planOfOr(condition: Extract<Condition, { kind: 'and' | 'or' }>, costOf: (key: IndexKey) => number): IndexPlan {
  const plans = condition.parts.map((part) => planOf(part, costOf));
  const keys = plans.flatMap((plan) => plan.keys ?? []);
  if (plans.some((plan) => plan.keys === null)) return unplaced(condition);
  return plans.every((plan) => plan.rest.length === 0) ? placed(keys) : { keys, rest: [condition] };
}

function planOfAnd(parts: readonly Condition[], costOf: (key: IndexKey) => number): IndexPlan {
  let best: { plan: IndexPlan; part: Condition; cost: number } | undefined;
  for (const part of parts) {
    const plan = planOf(part, costOf);
    const cost = plan.keys?.reduce((sum, key) => sum + costOf(key), 0) ?? Infinity;
    if (best === undefined || cost < best.cost) best = { plan, part, cost };
  }
  if (best === undefined || best.plan.keys === null) return { keys: null, rest: parts };
  const others = parts.filter((part) => part !== best.part);
  return { ...best.plan, rest: [...best.plan.rest, ...others] };
}

function placed(keys: readonly IndexKey[]): IndexPlan {
  return { keys, rest: [] };
}

function unplaced(condition: Condition): IndexPlan {
  return { keys: null, rest: [condition] };
}
