import {
  type CompareCondition,
  type Condition,
  type InCondition,
  type PathOperand,
  type Scalar,
} from '../checking/condition.js';
import { foldCase } from './fold-case.js';
import { FAILED, type Frame, isList, type SlotValue } from './frame.js';
import { type Test, type Truth } from './truth.js';

/**
 * A condition made ready to run: leaves, each linked to the one that follows when it holds and to the one that follows
 * when it does not. AND, OR and NOT are gone into these links, so that running is one loop whatever the shape.
 */
export type Program = Leaf;

const END = 0;
const GENERAL = 1;
const NUMBER = 2;
const TEXT = 3;
const TRUE = 4;
const FALSE = 5;
const NULL = 6;
const CONTAINS = 7;
const ONE_OF = 8;

const emptyList: ReadonlySet<Scalar> = new Set();
const never: Test = () => false;

/** What a leaf compares with; the field that its kind does not use keeps its default. */
interface Content {
  readonly kind: number;
  readonly slot?: number;
  /** A number is compared by the least and the greatest that satisfy: one test for all operators. */
  readonly least?: number;
  readonly greatest?: number;
  readonly text?: string;
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

/** Whether the condition holds; undefined when a value that decides could not be had. */
export function judgeProgram(program: Program, frame: Frame): Truth {
  frame.hasFailed = false;
  if (runProgram(program, frame, false)) return true;
  if (!frame.hasFailed) return false;
  return runProgram(program, frame, true) ? undefined : false;
}

/**
 * Runs to the end. A comparison that cannot be decided is taken for what brings the whole nearer to `assumed`; so with
 * false the answer is true only when it is certain, and with true it is false only when that is certain. Numbers and texts,
 * the most frequent, are compared here and lead on at once: written with less repetition it takes half as long again.
 */
export function runProgram(program: Program, frame: Frame, assumed: boolean): boolean {
  const { values } = frame;
  let leaf = program;
  for (;;) {
    const { kind } = leaf;
    if (kind === NUMBER) {
      const known = values[leaf.slot];
      const value = known === undefined ? frame.load(leaf.slot) : known;
      if (typeof value === 'number') {
        leaf = value >= leaf.least && value <= leaf.greatest ? leaf.yes : leaf.no;
        continue;
      }
      leaf = value === FAILED ? assume(leaf, frame, assumed) : leaf.no;
    } else if (kind === TEXT) {
      const known = values[leaf.slot];
      const value = known === undefined ? frame.load(leaf.slot) : known;
      if (typeof value === 'string') {
        leaf = value === leaf.text ? leaf.yes : leaf.no;
        continue;
      }
      leaf = value === FAILED ? assume(leaf, frame, assumed) : leaf.no;
    } else if (kind === END) {
      return leaf === YES;
    } else {
      const holds =
        kind === GENERAL
          ? leaf.test(frame)
          : judgeRareLeaf(leaf, leaf.kind === CONTAINS ? frame.readFolded(leaf.slot) : frame.read(leaf.slot));
      leaf = holds === undefined ? assume(leaf, frame, assumed) : holds ? leaf.yes : leaf.no;
    }
  }
}

/** Where to go on when a comparison cannot be decided. */
function assume(leaf: Leaf, frame: Frame, assumed: boolean): Leaf {
  frame.hasFailed = true;
  return assumed !== leaf.isNegated ? leaf.yes : leaf.no;
}

/** The kinds that are not judged in the loop itself. */
function judgeRareLeaf(leaf: Leaf, value: SlotValue): Truth {
  if (value === FAILED) return undefined;
  switch (leaf.kind) {
    case TRUE:
      return value === true;
    case FALSE:
      return value === false;
    case NULL:
      return value === null;
    case CONTAINS:
      return typeof value === 'string' && value.includes(leaf.text);
    default:
      return !isList(value) && leaf.list.has(value);
  }
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

/** One value of a datapath beside a literal, by far the most frequent, is compared in the loop itself. */
function compareContent(condition: CompareCondition, { slotOf, compile }: Linker): Content {
  const { operator, left, right } = condition;
  if (left.kind === 'path' && !left.many && right.kind === 'constant') {
    const content = literalContent(operator, right.value);
    if (content !== undefined) return { ...content, slot: slotOf(left) };
  }
  return { kind: GENERAL, test: compile(condition) };
}

function literalContent(operator: CompareCondition['operator'], value: Scalar): Content | undefined {
  if (typeof value === 'number') return { kind: NUMBER, ...limitsOf(operator, value) };
  if (operator === '=~') return { kind: CONTAINS, text: foldCase(String(value)) };
  if (operator !== '==') return undefined;
  if (typeof value === 'string') return { kind: TEXT, text: value };
  return { kind: value === null ? NULL : value ? TRUE : FALSE };
}

/** The least and the greatest number that satisfy. */
function limitsOf(
  operator: CompareCondition['operator'],
  bound: number,
): { readonly least?: number; readonly greatest?: number } {
  switch (operator) {
    case '<':
      return { greatest: nextBelow(bound) };
    case '<=':
      return { greatest: bound };
    case '>':
      return { least: -nextBelow(-bound) };
    case '>=':
      return { least: bound };
    default:
      return { least: bound, greatest: bound };
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** The greatest double below a finite one: doubles of one sign are in the order of their bits, here two halves of 32. */
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
