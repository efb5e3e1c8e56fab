import { type Message, message } from '@ats/message';
import { type ExpressionNode, type Span } from './ast.js';
import { expectedButFound, type ViolationDetail, type SyntaxViolationCode, syntaxError } from './errors.js';
import { type SyntaxLimits } from './limits.js';
import { type PlainToken, type Token } from './token.js';

/**
 * Reads tokens one by one, enforces the limits that need counting, and creates the errors for texts that violate the
 * grammar.
 */
export class TokenStream {
  private index = 0;
  private nodes = 0;
  private depth = 0;
  private readonly paths = new Set<string>();
  current: Token;
  /** The end of the token before the current one, in UTF-16 units. */
  endOfPrevious = 0;

  constructor(
    readonly source: string,
    private readonly tokens: readonly Token[],
    readonly limits: SyntaxLimits,
  ) {
    this.current = this.at(0);
  }

  get next(): Token {
    return this.at(this.index + 1);
  }

  take(): Token {
    const taken = this.current;
    this.endOfPrevious = taken.offset + taken.length;
    this.index++;
    this.current = this.at(this.index);
    return taken;
  }

  isAt(kind: PlainToken['kind']): boolean {
    return this.current.kind === kind;
  }

  takeIf(kind: PlainToken['kind']): boolean {
    if (this.current.kind !== kind) return false;
    this.take();
    return true;
  }

  expect(kind: PlainToken['kind']): void {
    if (!this.takeIf(kind)) throw this.unexpected([/\w/.test(kind) ? kind : `"${kind}"`]);
  }

  /**
   * Counts a new node and returns it.
   * @throws {DatapathSyntaxError} when the expression has too many nodes
   */
  count<Kind extends ExpressionNode>(node: Kind): Kind {
    this.nodes++;
    if (this.nodes > this.limits.nodes) {
      throw this.violationAt(node, {
        code: 'limit_exceeded',
        message: message`an expression has at most ${this.limits.nodes} parts`,
      });
    }
    return node;
  }

  countPath(text: string): void {
    this.paths.add(text);
    if (this.paths.size > this.limits.distinctPaths) {
      const violation = message`an expression has at most ${this.limits.distinctPaths} different datapaths`;
      const length = text.length;
      throw this.violationAt(
        { offset: this.endOfPrevious - length, length },
        { code: 'limit_exceeded', message: violation },
      );
    }
  }

  enterParentheses(): void {
    if (this.depth >= this.limits.nestedParentheses) {
      throw this.violation(
        'limit_exceeded',
        message`at most ${this.limits.nestedParentheses} parentheses may be nested`,
      );
    }
    this.depth++;
    this.take();
  }

  leaveParentheses(): void {
    this.depth--;
  }

  /** Makes the error for a token that is not allowed at this position. */
  unexpected(expected: readonly string[]): Error {
    const found = describeToken(this.source, this.current);
    const code = this.current.kind === 'end' ? 'unexpected_end' : 'unexpected_token';
    return this.violationAt(this.current, { code, message: expectedButFound(expected, found), expected, found });
  }

  /** Makes an error at the current token. */
  violation(code: SyntaxViolationCode, what: Message, hint?: Message): Error {
    return this.violationAt(this.current, {
      code,
      message: what,
      found: describeToken(this.source, this.current),
      hint,
    });
  }

  violationAt({ offset, length }: Span, detail: Omit<ViolationDetail, 'offset' | 'length'>): Error {
    return syntaxError(this.source, { ...detail, offset, length });
  }

  /** Returns a token. The last token is `end`; later positions also give `end`. */
  private at(index: number): Token {
    return this.tokens[index] ?? { kind: 'end', offset: this.source.length, length: 0 };
  }
}

export function describeToken(source: string, { kind, offset, length }: Token): string {
  if (kind === 'end') return 'end of text';
  const text = source.slice(offset, offset + length);
  return kind === 'string' ? text : `"${text}"`;
}
