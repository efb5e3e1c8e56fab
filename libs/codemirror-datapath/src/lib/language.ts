import { type ClassifiedToken, type TokenClass } from '@ats/datapath';
import { type Language, StreamLanguage } from '@codemirror/language';
import { type ExpressionService, serviceOf } from './service.js';

/** The tags of CodeMirror's highlighters, by the class of a token. */
const TAGS: Readonly<Record<TokenClass, string>> = {
  path: 'propertyName',
  keyword: 'operatorKeyword',
  constant: 'atom',
  function: 'keyword',
  number: 'number',
  string: 'string',
  comparison: 'compareOperator',
  arithmetic: 'arithmeticOperator',
  parenthesis: 'paren',
  brace: 'brace',
  comma: 'separator',
  invalid: 'invalid',
};

/** The tokens of one line, which the stream parser asks for one after the other. */
interface Line {
  readonly tokens: readonly ClassifiedToken[];
  next: number;
}

/**
 * Creates the language of expressions for highlighters. The tokens are those of the parser. Each line is read alone,
 * because no token contains a line break.
 */
export function expressionLanguage(service: ExpressionService): Language {
  return StreamLanguage.define<Line>({
    name: 'ats-expression',
    startState: () => ({ tokens: [], next: 0 }),
    copyState: (line) => ({ ...line }),
    token(stream, line) {
      if (stream.sol()) Object.assign(line, { tokens: serviceOf(service).tokens(stream.string), next: 0 });
      const token = line.tokens[line.next];
      if (token === undefined || token.offset > stream.pos) {
        stream.pos = token?.offset ?? stream.string.length;
        return null;
      }
      stream.pos = token.offset + token.length;
      line.next += 1;
      return TAGS[token.class];
    },
    mergeTokens: false,
    languageData: { closeBrackets: { brackets: ['(', '{', '"', "'"] } },
  });
}
