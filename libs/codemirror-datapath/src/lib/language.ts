import { type ClassifiedToken, type TokenClass } from '@ats/datapath';
import { type Language, StreamLanguage } from '@codemirror/language';
import { type ExpressionService, serviceOf } from './service.js';

/** The tags for CodeMirror's highlighters, by class of token. */
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

/** The tokens of one line. The stream parser asks for one after the other. */
interface Line {
  readonly tokens: readonly ClassifiedToken[];
  next: number;
}

/**
 * Makes the language of expressions, for highlighters. It has the same tokens as the parser. Each line is read alone,
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
