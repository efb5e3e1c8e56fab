import { message } from '@ats/message';
import { type ComparisonNode, type Expression, type ExpressionNode, type MembershipNode } from '../syntax/ast.js';
import { OperandChecker } from './check-operand.js';
import {
  type Condition,
  type ConstantOperand,
  negate,
  type Operand,
  type OrderOperator,
  type Scalar,
} from './condition.js';
import { describe } from './describe.js';
import { createViolation, DatapathCheckError, type DatapathViolation, type ViolationDetail } from '../syntax/errors.js';
import { type ObjectModel } from './model.js';
import { type ResolvedDatapath } from './resolve.js';

/** An expression whose names exist and whose types match. Only `checkExpression` creates it. */
export interface CheckedExpression {
  /** The syntax tree that was checked. */
  readonly expression: Expression;
  /** The condition of the checked tree. Null for a blank text, which matches everything. */
  readonly condition: Condition | null;
  /** The datapaths that the expression reads, without duplicates, in the order of the text. */
  readonly paths: readonly ResolvedDatapath[];
}

/** Options of `checkExpression`. */
export interface CheckOptions {
  /**
   * True when `EvaluationContext.valueOf` also knows the values before the change, for texts such as
   * `WAS(application.rating)`. Defaults to false: CHANGED and WAS are then violations.
   */
  readonly hasPast?: boolean;
}

/**
 * Checks the names and types of an expression against an object model.
 * @param roots names that datapaths may begin with; each is the name of an object type of the model
 * @throws {DatapathCheckError} with all violations, in the order of the text
 * @throws {ModelError} when the model contradicts itself, see `checkModel`
 * Source: docs/reference/expressions.md, "Checks" and "Types".
 */
export function checkExpression(
  expression: Expression,
  model: ObjectModel,
  roots: readonly string[],
  options: CheckOptions = {},
): CheckedExpression {
  const checker = new ConditionChecker(model, roots, options.hasPast === true);
  const condition = expression.condition === null ? null : checker.toCondition(expression.condition);
  const [first, ...others] = checker.operands.violations.sort((left, right) => left.offset - right.offset);
  if (first !== undefined) {
    const create = (detail: typeof first): DatapathViolation => createViolation(expression.source, detail);
    throw new DatapathCheckError([create(first), ...others.map(create)]);
  }
  return { expression, condition, paths: checker.operands.paths };
}

/** Finds the violations that `checkExpression` reports, in any order. It does not create their excerpts. */
export function findViolations(
  { condition }: Expression,
  model: ObjectModel,
  roots: readonly string[],
  { hasPast = false }: CheckOptions = {},
): readonly ViolationDetail[] {
  const checker = new ConditionChecker(model, roots, hasPast);
  if (condition !== null) checker.toCondition(condition);
  return checker.operands.violations;
}

class ConditionChecker {
  readonly operands: OperandChecker;

  constructor(model: ObjectModel, roots: readonly string[], hasPast: boolean) {
    this.operands = new OperandChecker(model, roots, (node) => this.toCondition(node), hasPast);
  }

  toCondition(node: ExpressionNode): Condition {
    switch (node.kind) {
      case 'or':
      case 'and':
        return { kind: node.kind, parts: node.operands.map((operand) => this.toCondition(operand)), node };
      case 'not':
        return negate(this.toCondition(node.operand), node);
      case 'comparison':
        return this.toComparison(node);
      case 'in':
        return this.toMembership(node);
      default:
        return this.toTruth(node);
    }
  }

  /** Converts a value that stands where a condition is expected. It means `value == TRUE`. */
  private toTruth(node: ExpressionNode): Condition {
    const left = this.operands.toOperand(node);
    if (left.type !== 'boolean' && left.type !== 'unknown') {
      const violation = message`expected a condition but found ${describe(left)}`;
      const hint = message`compare it with a value`;
      this.operands.addViolation(node, {
        code: 'not_a_condition',
        message: violation,
        expected: ['condition'],
        found: left.type,
        hint,
      });
    }
    if (left.kind === 'constant') return { kind: 'constant', value: left.value === true, node };
    return { kind: 'compare', operator: '==', left, right: constant('boolean', true), node };
  }

  private toComparison(node: ComparisonNode): Condition {
    const { operator } = node;
    const first = this.operands.toOperand(node.left);
    const second = this.operands.toOperand(node.right);
    if (operator === '=~' || operator === '!~') return this.toSubstring(node, first, second);
    const [left, right] = this.operands.toPair(first, second, node);
    if (operator === '==' || operator === '!=') this.operands.checkListed(first, second, node);
    if (operator === '==') return equality(left, right, node);
    if (operator === '!=') return negate(equality(left, right, node), node);
    this.operands.checkOrder(left, right, node);
    if (isFixed(left)) return { kind: 'compare', operator: mirrored[operator], left: right, right: left, node };
    return { kind: 'compare', operator, left, right, node };
  }

  private toSubstring(node: ComparisonNode, left: Operand, right: Operand): Condition {
    this.operands.checkSubstring(left, right, node);
    const contains: Condition = { kind: 'compare', operator: '=~', left, right, node };
    return node.operator === '=~' ? contains : negate(contains, node);
  }

  /**
   * Converts IN. Constant items become `left IN values` when they need no conversion of the left side. Each other item
   * becomes a comparison.
   */
  private toMembership(node: MembershipNode): Condition {
    const left = this.operands.toOperand(node.operand);
    const values: Scalar[] = [];
    const others: Condition[] = [];
    const items = node.items.map((item) => ({ item, operand: this.operands.toOperand(item) }));
    if (left.type === 'null') this.operands.checkOneType(items);
    for (const { item, operand } of items) {
      this.operands.checkListed(left, operand, { left: node.operand, right: item });
      const [converted, value] = this.operands.toPair(left, operand, {
        ...item,
        operator: '==',
        left: node.operand,
        right: item,
      });
      if (value.kind === 'constant' && converted === left) values.push(value.value);
      else others.push({ kind: 'compare', operator: '==', left: converted, right: value, node });
    }
    const list: Condition = { kind: 'in', left, values, node };
    const condition: Condition = others.length === 0 ? list : { kind: 'or', parts: [list, ...others], node };
    return node.negated ? negate(condition, node) : condition;
  }
}

/**
 * Creates `left == right`. For `condition == TRUE` it returns the condition itself, so that compiled conditions are not
 * nested deeper than the text. The result keeps the node of the comparison, which explanations show.
 */
function equality(left: Operand, right: Operand, node: ExpressionNode): Condition {
  if (isFixed(left) && !isFixed(right)) return equality(right, left, node);
  if (left.kind === 'condition' && right.kind === 'constant' && typeof right.value === 'boolean') {
    return right.value ? { ...left.condition, node } : negate(left.condition, node);
  }
  return { kind: 'compare', operator: '==', left, right, node };
}

const mirrored: Readonly<Record<OrderOperator, OrderOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/**
 * True for a constant or the clock, also when it is moved by a duration or reduced to a day. A checked comparison by
 * `==`, `<`, `<=`, `>` or `>=` has such an operand on its right side if its other operand depends on the object.
 */
function isFixed(operand: Operand): boolean {
  if (operand.kind === 'shift' || operand.kind === 'day') return isFixed(operand.base);
  return operand.kind === 'constant' || operand.kind === 'today' || operand.kind === 'now';
}

function constant(type: 'boolean', value: boolean): ConstantOperand {
  return { kind: 'constant', type, many: false, value };
}
