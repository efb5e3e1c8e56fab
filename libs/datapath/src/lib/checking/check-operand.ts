import { message } from '@ats/message';
import {
  type ComparisonOperator,
  type ExpressionNode,
  type ListItem,
  type PastFunction,
  type PastNode,
  type PathNode,
  type Span,
  type SumNode,
} from '../syntax/ast.js';
import { checkCall } from './check-call.js';
import { type Condition, type Operand } from './condition.js';
import { describe, literalHint } from './describe.js';
import { type ViolationDetail } from '../syntax/errors.js';
import { readIsoDate, toDuration } from '../syntax/functions.js';
import { printPast } from '../syntax/past.js';
import { type ObjectModel } from './model.js';
import {
  add,
  dayOf,
  durationToMs,
  isComparable,
  isTextBesideDate,
  literalType,
  toDateOperand,
  unknownOperand,
} from './operands.js';
import { operandTypes, pastOf } from './path-operand.js';
import { findDatapath, type ResolvedDatapath } from './resolve.js';
import { unlistedValue } from './suggest.js';

/** A comparison, with the nodes and the operator that a violation names. An item of IN is checked as `left == item`. */
export interface Comparison extends Span {
  readonly operator: ComparisonOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

/** Converts the operands of one expression to operands with types, and collects the violations in them. */
export class OperandChecker {
  readonly violations: ViolationDetail[] = [];
  readonly paths: ResolvedDatapath[] = [];
  private readonly known = new Map<string, Operand>();

  constructor(
    private readonly model: ObjectModel,
    private readonly roots: readonly string[],
    /** Converts a condition in parentheses that is used as a value. */
    private readonly toCondition: (node: ExpressionNode) => Condition,
    private readonly hasPast = false,
  ) {}

  addViolation({ offset, length }: Span, detail: Omit<ViolationDetail, 'offset' | 'length'>): void {
    this.violations.push({ ...detail, offset, length });
  }

  toOperand(node: ExpressionNode): Operand {
    switch (node.kind) {
      case 'literal':
        return { kind: 'constant', type: literalType(node.value), many: false, value: node.value };
      case 'path':
        return this.toPath(node);
      case 'past':
        return this.toPast(node);
      case 'date':
        return toDateOperand(node.text);
      case 'duration':
        return { kind: 'duration', type: 'duration', many: false, ...toDuration(node.arguments) };
      case 'negative': {
        const { days, milliseconds } = toDuration(node.operand.arguments);
        return { kind: 'duration', type: 'duration', many: false, days: -days, milliseconds: -milliseconds };
      }
      case 'sum':
        return this.toSum(node);
      case 'call':
        return checkCall(node, this.model, this);
      default:
        return { kind: 'condition', type: 'boolean', many: false, condition: this.toCondition(node) };
    }
  }

  private toPast(node: PastNode): Operand {
    if (this.hasPast) return this.toPath(node.operand, node.call);
    this.addViolation(node, {
      code: 'no_past',
      message: message`${node.call} is not available here, because no former value is known`,
      hint: message`use it in a topic whose events change an object`,
    });
    return unknownOperand;
  }

  private toPath(node: PathNode, call?: PastFunction): Operand {
    const text = call === undefined ? node.path.text : printPast(call, node.path.text);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const path = findDatapath(node.path, this.model, this.roots);
    if ('code' in path) {
      this.violations.push({ ...path, offset: node.offset + path.offset });
      return unknownOperand;
    }
    if (path.end.kind === 'reference') {
      const target = this.model.type(path.end.target);
      const hint =
        target !== undefined && Object.hasOwn(target.attributes, 'id')
          ? message`write ${`"${path.text}.id"`}`
          : undefined;
      this.addViolation(node, {
        code: 'not_a_value',
        message: message`"${path.text}" is an object, not a value`,
        hint,
      });
      return unknownOperand;
    }
    const read = call === undefined ? path : pastOf(path, call);
    const type = operandTypes[read.type];
    const operand: Operand = { kind: 'path', type, many: read.many, path: read, index: this.paths.length };
    this.paths.push(read);
    this.known.set(text, operand);
    return operand;
  }

  /** Converts a sum. Allowed are number ± number, date or datetime ± duration, and duration ± duration. */
  private toSum(node: SumNode): Operand {
    let sum = this.toOperand(node.first);
    for (const { operator, operand: term } of node.rest) {
      const operand = this.toOperand(term);
      const result = add(sum, operand, operator === '+' ? 1 : -1);
      if (result === undefined) {
        const [left, right] = [describe(sum), describe(operand)];
        const violation =
          operator === '+' ? message`cannot add ${left} and ${right}` : message`cannot subtract ${right} from ${left}`;
        const hint = message`combine numbers with numbers, and a duration with a date, datetime or duration on its left`;
        this.addViolation(node, { code: 'operator_not_allowed', message: violation, hint });
        return unknownOperand;
      }
      sum = result;
    }
    return sum;
  }

  /** Converts both sides of a comparison to one type. */
  toPair(left: Operand, right: Operand, node: Comparison): readonly [Operand, Operand] {
    const before = this.violations.length;
    const first = this.toTemporal(left, right, node.left);
    const second = this.toTemporal(right, first, node.right);
    if (this.violations.length > before) return [unknownOperand, unknownOperand];
    if (first.type === 'date' && second.type === 'datetime') return [first, dayOf(second)];
    if (first.type === 'datetime' && second.type === 'date') return [dayOf(first), second];
    if (!isComparable(first.type, second.type)) {
      this.addMismatch(first, second, node);
      return [unknownOperand, unknownOperand];
    }
    return [durationToMs(first), durationToMs(second)];
  }

  /** Converts a string to a date or datetime when it is compared with one. */
  toTemporal(operand: Operand, other: Pick<Operand, 'type'>, node: ExpressionNode): Operand {
    const isText = operand.kind === 'constant' && typeof operand.value === 'string';
    if (!isText || (other.type !== 'date' && other.type !== 'datetime')) return operand;
    const value = readIsoDate(String(operand.value));
    if (value?.kind === 'day') return { kind: 'constant', type: 'date', many: false, value: value.day };
    if (value?.kind === 'moment') return { kind: 'constant', type: 'datetime', many: false, value: value.ms };
    const expected = ['"YYYY-MM-DD"', '"YYYY-MM-DDThh:mm:ssZ"'] as const;
    const violation = message`expected a date such as ${expected[0]} or ${expected[1]}`;
    this.addViolation(node, {
      code: 'invalid_date',
      message: violation,
      expected,
      found: JSON.stringify(operand.value),
    });
    return operand;
  }

  private addMismatch(left: Operand, right: Operand, node: Comparison): void {
    const violation = message`cannot compare ${describe(left)} with ${describe(right)}`;
    const hint = literalHint(left, right) ?? literalHint(right, left);
    this.addViolation(node, {
      code: 'type_mismatch',
      message: violation,
      expected: [left.type],
      found: right.type,
      hint,
    });
  }

  checkOrder(left: Operand, right: Operand, node: Comparison): void {
    const unordered = [left, right].find(({ type }) => type === 'boolean' || type === 'null');
    if (unordered === undefined) return;
    const violation = message`"${node.operator}" does not apply to ${describe(unordered)}`;
    this.addViolation(node, {
      code: 'operator_not_allowed',
      message: violation,
      hint: message`write ${'=='} or ${'!='}`,
    });
  }

  /** Reports a constant text that is not in the closed list of the datapath with which it is compared. */
  checkListed(left: Operand, right: Operand, node: Pick<Comparison, 'left' | 'right'>): void {
    this.checkListedIn(left, right, node.right);
    this.checkListedIn(right, left, node.left);
  }

  private checkListedIn(path: Operand, literal: Operand, at: ExpressionNode): void {
    if (path.kind !== 'path' || literal.kind !== 'constant' || typeof literal.value !== 'string') return;
    const { values, text } = path.path;
    if (path.type !== 'text' || values === undefined || values.includes(literal.value)) return;
    const found = JSON.stringify(literal.value);
    this.addViolation(at, { code: 'unlisted_value', found, ...unlistedValue(literal.value, values, text) });
  }

  checkSubstring(left: Operand, right: Operand, node: Comparison): void {
    const other = [left, right].find(({ type }) => type !== 'text' && type !== 'unknown');
    if (other !== undefined) {
      const violation = message`"${node.operator}" applies to text, not to ${describe(other)}`;
      this.addViolation(node, {
        code: 'operator_not_allowed',
        message: violation,
        expected: ['text'],
        found: other.type,
      });
    } else if (right.kind === 'constant' && right.value === '') {
      this.addViolation(node.right, {
        code: 'empty_substring',
        message: message`expected the text to look for but found ""`,
      });
    }
  }

  /**
   * Checks a list without a left side that sets the type, as in `NULL IN {1, "a"}`. Reports the first item that cannot
   * be compared with the first item that is not null.
   */
  checkOneType(items: readonly { readonly item: ListItem; readonly operand: Operand }[]): void {
    const first = items.find(({ operand }) => operand.type !== 'null')?.operand;
    for (const { item, operand } of items) {
      if (first === undefined || isComparable(first.type, operand.type)) continue;
      if (isTextBesideDate(first.type, operand.type) || isTextBesideDate(operand.type, first.type)) continue;
      const [wanted, found] = [describe(first), describe(operand)];
      const violation = message`all items of a list must have the same type: expected ${wanted} but found ${found}`;
      this.addViolation(item, {
        code: 'type_mismatch',
        message: violation,
        expected: [first.type],
        found: operand.type,
      });
      return;
    }
  }
}
