import { message } from '@ats/message';
import { type CallNode, type ExpressionNode, type Span } from '../syntax/ast.js';
import { type ViolationDetail } from '../syntax/errors.js';
import { type Operand, type OperandType } from './condition.js';
import { describe, nounOf } from './describe.js';
import { ModelError } from './model-error.js';
import { type ObjectModel } from './model.js';
import { dayOf, unknownOperand } from './operands.js';
import { operandTypes } from './path-operand.js';

/** The methods of `OperandChecker` that the check of a call uses. */
export interface ArgumentChecker {
  toOperand(node: ExpressionNode): Operand;
  /** Converts a string to a date or datetime where one is expected. */
  toTemporal(operand: Operand, other: Pick<Operand, 'type'>, node: ExpressionNode): Operand;
  addViolation(span: Span, detail: Omit<ViolationDetail, 'offset' | 'length'>): void;
}

/**
 * Checks the types of the arguments in a call of a function that the host defines. The parser has already checked the
 * number of arguments.
 * @throws {ModelError} when the model does not have the function
 */
export function checkCall(node: CallNode, model: ObjectModel, checker: ArgumentChecker): Operand {
  const called = model.functions?.find(({ name }) => name === node.name);
  if (called === undefined) throw ModelError.ofFunction(node.name);
  const given = node.arguments.map((argument, index): Operand => {
    const type = operandTypes[called.parameters[index] ?? 'reference'];
    const stated = checker.toOperand(argument);
    const operand = toType(checker.toTemporal(stated, { type }, argument), type);
    // `toTemporal` returns a string that is not a date unchanged, and has already added the violation.
    if (operand === stated && isString(operand) && (type === 'date' || type === 'datetime')) return unknownOperand;
    if (operand.type === type || operand.type === 'null' || operand.type === 'unknown') return operand;
    const [wanted, found] = [nounOf(type), describe(operand)];
    const violation = message`argument ${index + 1} of ${node.name} must be ${wanted} but found ${found}`;
    checker.addViolation(argument, {
      code: 'type_mismatch',
      message: violation,
      expected: [type],
      found: operand.type,
    });
    return unknownOperand;
  });
  const lists = given.filter(({ many }) => many);
  if (lists.length > 1) {
    checker.addViolation(node, {
      code: 'operator_not_allowed',
      message: message`at most one argument of ${node.name} may be a list`,
    });
  }
  if (lists.length > 1 || given.some(({ type }) => type === 'unknown')) return unknownOperand;
  return { kind: 'call', type: operandTypes[called.result], many: lists.length > 0, called, arguments: given };
}

const isString = ({ kind, type }: Operand): boolean => kind === 'constant' && type === 'text';

const toType = (operand: Operand, type: OperandType): Operand =>
  type === 'date' && operand.type === 'datetime' ? dayOf(operand) : operand;
