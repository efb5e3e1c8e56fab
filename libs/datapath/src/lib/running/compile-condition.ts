import { compileComparison, compileMembership } from './compile-comparison.js';
import { type Scope } from './compile-operand.js';
import { type Condition } from '../checking/condition.js';
import { type Test } from './frame.js';

const always: Test = () => true;
const never: Test = () => false;

/**
 * Compiles a condition to closures that return true, false or unknown. Closures are slower than a `Program`. They are
 * used where the result of each part is needed: in explanations, and for a condition that is compared with a value.
 */
export function compileCondition(condition: Condition, slotOf: Scope['slotOf']): Test {
  const scope: Scope = { slotOf, toTest };
  return toTest(condition);

  function toTest(part: Condition): Test {
    switch (part.kind) {
      case 'and':
        return compileAnd(part.parts.map(toTest));
      case 'or':
        return compileOr(part.parts.map(toTest));
      case 'not':
        return part.part.kind === 'not' ? toTest(part.part.part) : compileNot(toTest(part.part));
      case 'compare':
        return compileComparison(part, scope);
      case 'in':
        return compileMembership(part, scope);
      case 'constant':
        return part.value ? always : never;
    }
  }
}

/** Compiles AND: false when any part is false, else unknown when any part is unknown, else true. */
function compileAnd(tests: readonly Test[]): Test {
  const [first = always, second, ...others] = tests;
  if (second === undefined) return first;
  if (others.length > 0) return compileAnd([compileAnd([first, second]), ...others]);
  return (frame) => {
    const left = first(frame);
    if (left === false) return false;
    const right = second(frame);
    return right === false ? false : left && right;
  };
}

/** Compiles OR: true when any part is true, else unknown when any part is unknown, else false. */
function compileOr(tests: readonly Test[]): Test {
  const [first = never, second, ...others] = tests;
  if (second === undefined) return first;
  if (others.length > 0) return compileOr([compileOr([first, second]), ...others]);
  return (frame) => {
    const left = first(frame);
    if (left === true) return true;
    const right = second(frame);
    return right === true || left === false ? right : undefined;
  };
}

function compileNot(test: Test): Test {
  return (frame) => {
    const truth = test(frame);
    return truth === undefined ? undefined : !truth;
  };
}
