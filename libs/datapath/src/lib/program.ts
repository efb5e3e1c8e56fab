import { foldCase } from './compile-comparison.js';
import { type CompareCondition, type Condition, type InCondition, type OrderOperator, type PathOperand, type Scalar } from './condition.js';
import { FAILED, type Frame, isList, type SlotValue } from './frame.js';
import { type Test, type Truth } from './truth.js';

/**
 * A condition made ready to run: leaves, each linked to the one that follows when it holds and to the one that follows
 * when it does not. AND, OR and NOT are gone into these links, so that running is one loop whatever the shape.
 */
export type Program = Leaf;

const END = 0;
const EQUAL_NUMBER = 1;
const EQUAL = 2;
const LESS = 3;
const LESS_OR_EQUAL = 4;
const GREATER = 5;
const GREATER_OR_EQUAL = 6;
const CONTAINS = 7;
const ONE_OF = 8;
const GENERAL = 9;

const orders: Readonly<Record<OrderOperator, number>> = { '<': LESS, '<=': LESS_OR_EQUAL, '>': GREATER, '>=': GREATER_OR_EQUAL };

const emptyList: ReadonlySet<Scalar> = new Set();
const never: Test = () => false;

/** What a leaf compares with; the field that its kind does not use keeps its default. */
interface Content {
  readonly kind: number;
  readonly slot?: number;
  readonly number?: number;
  readonly text?: string;
  readonly scalar?: Scalar;
  readonly list?: ReadonlySet<Scalar>;
  readonly test?: Test;
}

interface Links {
  readonly yes: Leaf;
  readonly no: Leaf;
  /** Whether an odd number of NOTs stands above. */
  readonly isNegated: boolean;
}

/** One comparison. All leaves have the same fields, of the same types, which is what keeps the loop fast. */
class Leaf {
  readonly kind: number;
  readonly slot: number;
  readonly number: number;
  readonly text: string;
  readonly scalar: Scalar;
  readonly list: ReadonlySet<Scalar>;
  readonly test: Test;
  readonly yes: Leaf;
  readonly no: Leaf;
  readonly isNegated: boolean;

  constructor({ kind, slot = 0, number = 0, text = '', scalar = null, list = emptyList, test = never }: Content, links?: Links) {
    this.kind = kind;
    this.slot = slot;
    this.number = number;
    this.text = text;
    this.scalar = scalar;
    this.list = list;
    this.test = test;
    this.yes = links?.yes ?? this;
    this.no = links?.no ?? this;
    this.isNegated = links?.isNegated === true;
  }
}

const YES = new Leaf({ kind: END });
const NO = new Leaf({ kind: END });

/** How the parts of a condition become leaves. */
export interface Linker {
  /** The number under which a frame has the value of a datapath. */
  readonly slotOf: (operand: PathOperand) => number;
  /** The test of a comparison that has no leaf of its own. */
  readonly compile: (condition: CompareCondition | InCondition) => Test;
}

/** @param conditions all of them have to hold; none means always */
export function linkProgram(conditions: readonly Condition[], linker: Linker): Program {
  return linkAll(conditions, { yes: YES, no: NO, isNegated: false }, linker);
}

/** Whether a program holds whatever the values are. */
export function isAlways(program: Program): boolean {
  return program === YES;
}

/** Whether the condition holds; undefined when a value that decides could not be had. */
export function judgeProgram(program: Program, frame: Frame): Truth {
  frame.hasFailed = false;
  if (runProgram(program, frame, false)) return true;
  if (!frame.hasFailed) return false;
  return runProgram(program, frame, true) ? undefined : false;
}

/**
 * Runs to the end. A comparison that cannot be decided is taken for what brings the whole nearer to `assumed`; so with
 * false the answer is true only when it is certain, and with true it is false only when that is certain.
 */
export function runProgram(program: Program, frame: Frame, assumed: boolean): boolean {
  let leaf = program;
  while (leaf.kind !== END) {
    let holds = leaf.kind === GENERAL ? leaf.test(frame) : compareLeaf(leaf, frame.read(leaf.slot));
    if (holds === undefined) {
      frame.hasFailed = true;
      holds = assumed !== leaf.isNegated;
    }
    leaf = holds ? leaf.yes : leaf.no;
  }
  return leaf === YES;
}

function compareLeaf(leaf: Leaf, value: SlotValue): Truth {
  if (value === FAILED) return undefined;
  switch (leaf.kind) {
    case EQUAL_NUMBER:
      return typeof value === 'number' && value === leaf.number;
    case EQUAL:
      return value === leaf.scalar;
    case LESS:
      return typeof value === 'number' && value < leaf.number;
    case LESS_OR_EQUAL:
      return typeof value === 'number' && value <= leaf.number;
    case GREATER:
      return typeof value === 'number' && value > leaf.number;
    case GREATER_OR_EQUAL:
      return typeof value === 'number' && value >= leaf.number;
    case CONTAINS:
      return typeof value === 'string' && foldCase(value).includes(leaf.text);
    default:
      return !isList(value) && leaf.list.has(value);
  }
}

function link(condition: Condition, links: Links, linker: Linker): Leaf {
  switch (condition.kind) {
    case 'and':
      return linkAll(condition.parts, links, linker);
    case 'or':
      return condition.parts.reduceRight((no, part) => link(part, { ...links, no }, linker), links.no);
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
  return parts.reduceRight((yes, part) => link(part, { ...links, yes }, linker), links.yes);
}

/** One value of a datapath beside a literal, by far the most frequent, is compared in the loop itself. */
function compareContent(condition: CompareCondition, { slotOf, compile }: Linker): Content {
  const { operator, left, right } = condition;
  if (left.kind !== 'path' || left.many || right.kind !== 'constant') return { kind: GENERAL, test: compile(condition) };
  const slot = slotOf(left);
  const { value } = right;
  if (operator === '=~') return { kind: CONTAINS, slot, text: foldCase(String(value)) };
  if (operator === '==') return typeof value === 'number' ? { kind: EQUAL_NUMBER, slot, number: value } : { kind: EQUAL, slot, scalar: value };
  return typeof value === 'number' ? { kind: orders[operator], slot, number: value } : { kind: GENERAL, test: compile(condition) };
}

function listContent(condition: InCondition, { slotOf, compile }: Linker): Content {
  const { left, values } = condition;
  if (left.kind !== 'path' || left.many) return { kind: GENERAL, test: compile(condition) };
  return { kind: ONE_OF, slot: slotOf(left), list: new Set(values) };
}
