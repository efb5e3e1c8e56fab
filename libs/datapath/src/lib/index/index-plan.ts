import { type Condition } from '../checking/condition.js';
import { type IndexKey, keyOf, keysOfList } from './index-key.js';

/** The keys of a topic in the index, and the conditions that must still be evaluated when a key matches. */
export interface IndexPlan {
  /**
   * The condition can be true only when one of these keys matches. Null when no keys have this property; the topic is
   * then evaluated for every event.
   */
  readonly keys: readonly IndexKey[] | null;
  /** The conditions that must also be true when a key matches. */
  readonly rest: readonly Condition[];
}

/**
 * Returns the index keys of a topic, and the conditions to evaluate when a key matches.
 * @param costOf  estimates how many topics are visited for an event that satisfies the comparison of a key. Of the
 *   operands of an AND, the one with the lowest estimate provides the keys.
 */
export function planOf(condition: Condition, costOf: (key: IndexKey) => number): IndexPlan {
  switch (condition.kind) {
    case 'compare': {
      const key = keyOf(condition);
      return key === null ? withoutKeys(condition) : withKeys([key]);
    }
    case 'in': {
      const keys = keysOfList(condition);
      return keys === null ? withoutKeys(condition) : withKeys(keys);
    }
    case 'constant':
      return condition.value ? { keys: null, rest: [] } : withKeys([]);
    case 'not':
      return condition.part.kind === 'not' ? planOf(condition.part.part, costOf) : withoutKeys(condition);
    case 'or':
      return planOfOr(condition, costOf);
    case 'and':
      return planOfAnd(condition.parts, costOf);
  }
}

function planOfOr(condition: Extract<Condition, { kind: 'and' | 'or' }>, costOf: (key: IndexKey) => number): IndexPlan {
  const plans = condition.parts.map((part) => planOf(part, costOf));
  const keys = plans.flatMap((plan) => plan.keys ?? []);
  if (plans.some((plan) => plan.keys === null)) return withoutKeys(condition);
  return plans.every((plan) => plan.rest.length === 0) ? withKeys(keys) : { keys, rest: [condition] };
}

/** True for a key that matches only events which changed a certain value. */
export const isChange = ({ path, bound }: IndexKey): boolean => path.path.past === 'CHANGED' && bound === true;

/** True for a key that most events may match: a range, or a former value. */
const isWide = (key: IndexKey): boolean =>
  !isChange(key) && (key.operator !== '==' || key.path.path.past !== undefined);

/**
 * Plans an AND. CHANGED is preferred to keys that most events match, so that a topic with CHANGED costs nothing for
 * events without the change.
 */
function planOfAnd(parts: readonly Condition[], costOf: (key: IndexKey) => number): IndexPlan {
  let best: { plan: IndexPlan; part: Condition; cost: number } | undefined;
  const plans = parts.map((part) => ({ part, plan: planOf(part, costOf) }));
  const hasChange = plans.some(({ plan }) => plan.keys?.length === 1 && plan.keys.every(isChange));
  for (const { part, plan } of plans) {
    if (hasChange && plan.keys?.some(isWide) === true) continue;
    const cost = plan.keys?.reduce((sum, key) => sum + costOf(key), 0) ?? Infinity;
    if (best === undefined || cost < best.cost) best = { plan, part, cost };
  }
  if (best === undefined || best.plan.keys === null) return { keys: null, rest: parts };
  const others = parts.filter((part) => part !== best.part);
  return { ...best.plan, rest: [...best.plan.rest, ...others] };
}

function withKeys(keys: readonly IndexKey[]): IndexPlan {
  return { keys, rest: [] };
}

function withoutKeys(condition: Condition): IndexPlan {
  return { keys: null, rest: [condition] };
}
