/** The tree of an expression, after the grammar in docs/reference/expressions.md. */
export type Node =
  | { readonly is: 'or' | 'and' | 'sum'; readonly left: Node; readonly right: Node; readonly sign: 1 | -1 }
  | { readonly is: 'not'; readonly of: Node }
  | { readonly is: 'compare'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly is: 'in'; readonly negated: boolean; readonly left: Node; readonly items: readonly Node[] }
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  | { readonly is: 'date'; readonly text: string }
  | { readonly is: 'duration'; readonly parts: readonly number[] }
  | { readonly is: 'path'; readonly text: string };

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\.\d+(?::\d+){0,2})?)|(==|!=|<=|>=|=~|!~|[<>+\-(){},]))/y;
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', '=~', '!~']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

interface Token {
  readonly is: 'string' | 'number' | 'name' | 'sign';
  readonly text: string;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`expected a token at position ${start} of ${text}`);
    const [, string, number, name, sign = ''] = match;
    if (string !== undefined) tokens.push({ is: 'string', text: unescaped(string.slice(1, -1)) });
    else if (number !== undefined) tokens.push({ is: 'number', text: number });
    else if (name !== undefined) tokens.push({ is: 'name', text: name });
    else tokens.push({ is: 'sign', text: sign });
  }
  return tokens;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([\dA-Fa-f]{4})|(.))/g, (_, code: string | undefined, one: string) =>
    code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Returns the tree of an expression. Throws at a syntax error. */
export function parseReference(text: string): Node {
  const parser = new Parser(tokensOf(text));
  return parser.whole();
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const node = this.or();
    if (this.at < this.tokens.length) throw new Error(`unexpected ${this.tokens[this.at]?.text}`);
    return node;
  }

  private takes(text: string): boolean {
    const token = this.tokens[this.at];
    const isWord = /^\w/.test(text);
    const fits = isWord
      ? token?.is === 'name' && token.text.toUpperCase() === text
      : token?.is === 'sign' && token.text === text;
    if (fits) this.at++;
    return fits;
  }

  private needs(text: string): void {
    if (!this.takes(text)) throw new Error(`expected ${text} at token ${this.at}`);
  }

  private or(): Node {
    let left = this.and();
    while (this.takes('OR')) left = { is: 'or', left, right: this.and(), sign: 1 };
    return left;
  }

  private and(): Node {
    let left = this.not();
    while (this.takes('AND')) left = { is: 'and', left, right: this.not(), sign: 1 };
    return left;
  }

  private not(): Node {
    return this.takes('NOT') ? { is: 'not', of: this.not() } : this.relation();
  }

  private relation(): Node {
    const left = this.sum();
    const token = this.tokens[this.at];
    if (token?.is === 'sign' && COMPARISONS.has(token.text)) {
      this.at++;
      return { is: 'compare', operator: token.text, left, right: this.sum() };
    }
    if (this.takes('IN')) return { is: 'in', negated: false, left, items: this.list() };
    if (!this.takes('NOT')) return left;
    this.needs('IN');
    return { is: 'in', negated: true, left, items: this.list() };
  }

  private list(): readonly Node[] {
    const close = this.takes('{') ? '}' : ')';
    if (close === ')') this.needs('(');
    const items = [this.unary()];
    while (this.takes(',')) items.push(this.unary());
    this.needs(close);
    return items;
  }

  private sum(): Node {
    let left = this.unary();
    for (;;) {
      const sign = this.takes('+') ? 1 : this.takes('-') ? -1 : undefined;
      if (!sign) return left;
      left = { is: 'sum', left, right: this.unary(), sign };
    }
  }

  private unary(): Node {
    if (!this.takes('-')) return this.primary();
    const node = this.primary();
    if (node.is === 'literal' && typeof node.value === 'number') return { is: 'literal', value: -node.value };
    if (node.is === 'duration') return { is: 'duration', parts: node.parts.map((part) => -part) };
    throw new Error('a minus needs a number or a duration');
  }

  private primary(): Node {
    if (this.takes('(')) {
      const node = this.or();
      this.needs(')');
      return node;
    }
    for (const [word, value] of [
      ['TRUE', true],
      ['FALSE', false],
      ['NULL', null],
    ] as const)
      if (this.takes(word)) return { is: 'literal', value };
    if (this.takes('DATE')) {
      this.needs('(');
      const text = this.tokens[this.at++]?.text ?? '';
      this.needs(')');
      return { is: 'date', text };
    }
    if (this.takes('DTDURATION')) return { is: 'duration', parts: this.integers() };
    const token = this.tokens[this.at++];
    if (token?.is === 'string') return { is: 'literal', value: token.text };
    if (token?.is === 'number') return { is: 'literal', value: Number(token.text) };
    if (token?.is === 'name') return { is: 'path', text: token.text };
    throw new Error(`unexpected ${token?.text ?? 'end'}`);
  }

  private integers(): readonly number[] {
    const parts: number[] = [];
    this.needs('(');
    do {
      const sign = this.takes('-') ? -1 : 1;
      parts.push(sign * Number(this.tokens[this.at++]?.text));
    } while (this.takes(','));
    this.needs(')');
    return parts;
  }
}
