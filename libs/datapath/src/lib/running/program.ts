import {
  type CompareCondition,
  type Condition,
  type InCondition,
  type PathOperand,
  type Scalar,
} from '../checking/condition.js';
import { FAILED, foldCase, type Frame, isList, type Test, type Truth } from './frame.js';

/**
 * A compiled condition: the first leaf of a graph. Each leaf is a comparison with two links: to the leaf that follows
 * when the comparison is true, and to the one that follows when it is false. The links express AND, OR and NOT, so that
 * a single loop can run every condition.
 */
export type Program = Leaf;

const END = 0;
const GENERAL = 1;
const NUMBER = 2;
const TEXT = 3;
const NULL = 4;
const CONTAINS = 5;
const ONE_OF = 6;

const emptyList: ReadonlySet<Scalar> = new Set();
const never: Test = () => false;

/** The operands and limits of the comparison of a leaf. Properties that a kind of leaf does not use have defaults. */
interface Content {
  readonly kind: number;
  readonly slot?: number;
  /**
   * Smallest number that satisfies the comparison. So every order operator becomes the same test: `least <= value <=
   * greatest`. A comparison with a boolean uses the same test, because `Frame.numbers` has booleans as 0 and 1.
   */
  readonly least?: number;
  readonly greatest?: number;
  readonly text?: string;
  readonly list?: ReadonlySet<Scalar>;
  readonly test?: Test;
}

interface Links {
  readonly yes: Leaf;
  readonly no: Leaf;
  /** True when the comparison is inside an odd number of NOTs. */
  readonly isNegated: boolean;
}

/** One comparison. All leaves have the same fields with the same types, because this makes the loop fast. */
class Leaf {
  readonly kind: number;
  readonly slot: number;
  readonly yes: Leaf;
  readonly no: Leaf;
  readonly least: number;
  readonly greatest: number;
  readonly text: string;
  readonly isNegated: boolean;
  readonly list: ReadonlySet<Scalar>;
  readonly test: Test;

  constructor(
    { kind, slot = 0, least = -Infinity, greatest = Infinity, text = '', list = emptyList, test = never }: Content,
    links?: Links,
  ) {
    this.kind = kind;
    this.slot = slot;
    this.yes = links?.yes ?? this;
    this.no = links?.no ?? this;
    this.least = least;
    this.greatest = greatest;
    this.text = text;
    this.isNegated = links?.isNegated === true;
    this.list = list;
    this.test = test;
  }
}

const YES = new Leaf({ kind: END });
const NO = new Leaf({ kind: END });

/** Functions that turn comparisons into leaves. */
export interface Linker {
  /** Returns the slot of a datapath in a frame. */
  readonly slotOf: (operand: PathOperand) => number;
  /** Compiles a comparison for which there is no kind of leaf. */
  readonly compile: (condition: CompareCondition | InCondition) => Test;
}

/** Links the conditions to a program that is true when all of them are true. Without conditions it is always true. */
export function linkProgram(conditions: readonly Condition[], linker: Linker): Program {
  return linkAll(conditions, { yes: YES, no: NO, isNegated: false }, linker);
}

/**
 * Returns whether the condition is true. Returns undefined when the result depends on a value that cannot be read.
 *
 * The loop itself compares numbers, booleans and texts, the most frequent kinds. Without this repeated code, the loop
 * takes 50 % longer. When the loop meets an unreadable value, `evaluateUnreadable` starts over, so that the loop does
 * not have to count such values.
 */
export function evaluateProgram(program: Program, frame: Frame): Truth {
  const { values, numbers } = frame;
  let leaf = program;
  for (;;) {
    const { kind } = leaf;
    if (kind === NUMBER) {
      const number = numbers[leaf.slot] ?? NaN;
      if (number >= leaf.least && number <= leaf.greatest) leaf = leaf.yes;
      else if (number < leaf.least || number > leaf.greatest) leaf = leaf.no;
      // Here, `number` is NaN: the value is not read yet, or it is not a number.
      else if (frame.read(leaf.slot) === FAILED) return evaluateUnreadable(program, frame);
      else leaf = isNumberOf(leaf, frame) ? leaf.yes : leaf.no;
    } else if (kind === TEXT) {
      const known = values[leaf.slot];
      const value = known === undefined ? frame.load(leaf.slot) : known;
      // The JavaScript engine compares two values faster when it knows that both are strings.
      if (typeof value === 'string') leaf = value === leaf.text ? leaf.yes : leaf.no;
      else if (value === FAILED) return evaluateUnreadable(program, frame);
      else leaf = leaf.no;
    } else if (kind === END) {
      return leaf === YES;
    } else {
      const holds = evaluateLeaf(leaf, frame);
      if (holds === undefined) return evaluateUnreadable(program, frame);
      leaf = holds ? leaf.yes : leaf.no;
    }
  }
}

/** Returns the result of a program that has met an unreadable value. */
function evaluateUnreadable(program: Program, frame: Frame): Truth {
  frame.hasFailed = true;
  if (runAssuming(false, program, frame)) return true;
  return runAssuming(true, program, frame) ? undefined : false;
}

/**
 * Runs a program. Decides each comparison with an unreadable value in favour of the result `assumed`. So when `assumed`
 * is false, a result of true is certain. When `assumed` is true, a result of false is certain.
 */
function runAssuming(assumed: boolean, program: Program, frame: Frame): boolean {
  let leaf = program;
  while (leaf.kind !== END) {
    const holds = evaluateLeaf(leaf, frame) ?? assumed !== leaf.isNegated;
    leaf = holds ? leaf.yes : leaf.no;
  }
  return leaf === YES;
}

/** Evaluates a comparison of any kind. Returns undefined when its value cannot be read. */
function evaluateLeaf(leaf: Leaf, frame: Frame): Truth {
  if (leaf.kind === GENERAL) return leaf.test(frame);
  const value = leaf.kind === CONTAINS ? frame.readFolded(leaf.slot) : frame.read(leaf.slot);
  if (value === FAILED) return undefined;
  switch (leaf.kind) {
    case NUMBER:
      return isNumberOf(leaf, frame);
    case TEXT:
      return value === leaf.text;
    case NULL:
      return value === null;
    case CONTAINS:
      return typeof value === 'string' && value.includes(leaf.text);
    default:
      return !isList(value) && leaf.list.has(value);
  }
}

/** Returns whether a number or boolean that has been read satisfies the comparison. Returns false for other values. */
function isNumberOf({ slot, least, greatest }: Leaf, { numbers }: Frame): boolean {
  const number = numbers[slot] ?? NaN;
  return number >= least && number <= greatest;
}

function link(condition: Condition, links: Links, linker: Linker): Leaf {
  switch (condition.kind) {
    case 'and':
      return linkAll(condition.parts, links, linker);
    case 'or':
      return condition.parts.reduceRight(
        (no, part) => link(part, { yes: links.yes, no, isNegated: links.isNegated }, linker),
        links.no,
      );
    case 'not':
      return link(condition.part, { yes: links.no, no: links.yes, isNegated: !links.isNegated }, linker);
    case 'constant':
      return condition.value ? links.yes : links.no;
    case 'compare':
      return new Leaf(compareContent(condition, linker), links);
    case 'in':
      return new Leaf(listContent(condition, linker), links);
  }
}

function linkAll(parts: readonly Condition[], links: Links, linker: Linker): Leaf {
  return parts.reduceRight(
    (yes, part) => link(part, { yes, no: links.no, isNegated: links.isNegated }, linker),
    links.yes,
  );
}

/**
 * Returns the content of the leaf for a comparison. The comparison of a single-valued datapath with a literal has a
 * kind of its own, because it is by far the most frequent.
 */
function compareContent(condition: CompareCondition, { slotOf, compile }: Linker): Content {
  const { operator, left, right } = condition;
  if (left.kind === 'path' && !left.many && right.kind === 'constant') {
    const { value } = right;
    if (typeof value === 'number') return numberContent(operator, value, slotOf(left));
    if (operator === '=~') return { kind: CONTAINS, slot: slotOf(left), text: foldCase(String(value)) };
    if (operator === '==' && typeof value === 'string') return { kind: TEXT, slot: slotOf(left), text: value };
    if (operator === '==' && value === null) return { kind: NULL, slot: slotOf(left) };
    if (operator === '==' && typeof value === 'boolean') return numberContent('==', Number(value), slotOf(left));
  }
  return { kind: GENERAL, test: compile(condition) };
}

/** Returns the content of a leaf with the smallest and the largest number that satisfy the comparison. */
function numberContent(operator: CompareCondition['operator'], bound: number, slot: number): Content {
  let least = bound;
  let greatest = bound;
  if (operator === '<' || operator === '<=') least = -Infinity;
  if (operator === '>' || operator === '>=') greatest = Infinity;
  if (operator === '<') greatest = nextBelow(bound);
  if (operator === '>') least = -nextBelow(-bound);
  return { kind: NUMBER, slot, least, greatest };
}

const bits = new DataView(new ArrayBuffer(8));

/**
 * Returns the largest double below a finite double. Doubles of the same sign have the same order as their 64 bits read
 * as an integer. So the function changes this integer by 1, in two halves of 32 bits.
 */
function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, value);
  const step = value > 0 ? -1 : 1;
  const low = bits.getUint32(4) + step;
  const carry = low < 0 || low > 0xffff_ffff ? step : 0;
  bits.setUint32(4, low);
  bits.setUint32(0, bits.getUint32(0) + carry);
  return bits.getFloat64(0);
}

function listContent(condition: InCondition, { slotOf, compile }: Linker): Content {
  const { left, values } = condition;
  if (left.kind !== 'path' || left.many) return { kind: GENERAL, test: compile(condition) };
  return { kind: ONE_OF, slot: slotOf(left), list: new Set(values) };
}
