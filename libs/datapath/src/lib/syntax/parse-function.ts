import { message } from '@ats/message';
import { type ExpressionNode, type PastFunction } from './ast.js';
import { DURATION_UNITS, isDurationInRange, readDate, UNIT_NAMES } from './functions.js';
import { LIMITS } from './limits.js';
import { printPast } from './past.js';
import { describeToken, type TokenStream } from './token-stream.js';
import { type StringToken } from './token.js';

type Node<Kind extends ExpressionNode['kind']> = Extract<ExpressionNode, { kind: Kind }>;

/** call : "DATE" "(" string ")" */
export function parseDate(tokens: TokenStream): Node<'date'> {
  const { offset } = tokens.take();
  tokens.expect('(');
  if (tokens.current.kind !== 'string') throw tokens.unexpected(['string']);
  const argument = tokens.take() as StringToken;
  if (readDate(argument.value) === undefined) {
    const last = '"YYYY-MM-DDThh:mm:ssZ"';
    const others = ['"today"', '"now"', '"YYYY-MM-DD"'];
    const expected = [...others, last];
    const hint = message`write ${others} or ${last}`;
    const found = tokens.source.slice(argument.offset, argument.offset + argument.length);
    throw tokens.violationAt(argument, {
      code: 'invalid_date',
      message: message`DATE takes a date that exists`,
      expected,
      found,
      hint,
    });
  }
  tokens.expect(')');
  return { kind: 'date', text: argument.value, offset, length: tokens.endOfPrevious - offset };
}

/** call : ( "CHANGED" | "WAS" ) "(" path ")" */
export function parsePast(tokens: TokenStream, call: PastFunction): ExpressionNode {
  const { offset } = tokens.take();
  tokens.expect('(');
  const { current } = tokens;
  if (current.kind !== 'path') throw tokens.unexpected(['datapath']);
  tokens.take();
  const { path } = current;
  tokens.countPath(printPast(call, path.text));
  tokens.expect(')');
  const operand: Node<'path'> = { kind: 'path', path, offset: current.offset, length: current.length };
  return tokens.count({ kind: 'past', call, operand, offset, length: tokens.endOfPrevious - offset });
}

/** call : "DTDURATION" "(" int "," int "," int "," int ")" */
export function parseDuration(tokens: TokenStream): Node<'duration'> {
  const name = tokens.take();
  tokens.expect('(');
  const values: number[] = [];
  while (values.length < DURATION_UNITS.length) {
    const isNegative = tokens.takeIf('-');
    const argument = tokens.current;
    if (argument.kind !== 'number' || !argument.isInteger) break;
    tokens.take();
    values.push(isNegative && argument.value !== 0 ? -argument.value : argument.value);
    if (values.length < DURATION_UNITS.length && !tokens.takeIf(',')) break;
  }
  if (values.length < DURATION_UNITS.length || !tokens.isAt(')')) {
    const violation = message`DTDURATION takes four integers: ${DURATION_UNITS.map((unit) => UNIT_NAMES[unit])}`;
    throw tokens.violationAt(name, {
      code: 'invalid_duration',
      message: violation,
      found: describeToken(tokens.source, tokens.current),
    });
  }
  tokens.take();
  const length = tokens.endOfPrevious - name.offset;
  if (!isDurationInRange(values)) {
    const violation = message`a duration has at most ${LIMITS.durationDays} days`;
    throw tokens.violationAt({ offset: name.offset, length }, { code: 'invalid_duration', message: violation });
  }
  return { kind: 'duration', arguments: values, offset: name.offset, length };
}
