import { type SyntaxOptions } from '../syntax/collection.js';
import { DatapathError } from '../syntax/errors.js';
import { type Token } from '../syntax/token.js';
import { tokenize } from '../syntax/tokenizer.js';

/** The syntax that is allowed at a position of an expression. */
export interface CursorContext {
  /**
   * What may stand at the position. `operand`: a datapath, a value or a function. `operator`: an operator after an
   * operand. `item`: an item of a list. `separator`: a comma or the end of a list. `date`: the argument of DATE.
   * `path`: a datapath. `opening`: the brace of a list or the parenthesis of a call. `nothing`: no suggestion is
   * possible.
   */
  readonly expects: 'operand' | 'operator' | 'item' | 'separator' | 'date' | 'path' | 'opening' | 'nothing';
  /** The part of the word or string that is before the position, without an opening quote. */
  readonly typed: string;
  /** True when the position is inside a string that begins before it. */
  readonly isInString: boolean;
  /** The offset at which the replaced word or string begins. Inside a datapath, only its last name is replaced. */
  readonly from: number;
  /** The offset at which the replaced text ends. */
  readonly to: number;
  /** The datapath on the left side of the comparison. Undefined when the left side is not a datapath. */
  readonly subject?: string | undefined;
  /** True after a comparison operator in the same condition. */
  readonly isCompared: boolean;
  /** True after `+` or `-`. */
  readonly isTerm: boolean;
  /** True after the NOT of NOT IN. */
  readonly isNegated: boolean;
  /** True in an argument of a function of the host, outside further parentheses. No comparison may stand there. */
  readonly isArgument: boolean;
  /** True directly inside parentheses of the grammar, which a closing parenthesis may end. */
  readonly isInGroup: boolean;
  /** True after an operator that does not compare with NULL or a boolean: `<`, `<=`, `>`, `>=`, `=~` or `!~`. */
  readonly isOrdered: boolean;
  /** True after the sign of a number, where only digits may follow. */
  readonly isSigned: boolean;
}

const WORD = /[A-Za-z0-9_.:]*$/;
const REST_OF_NAME = /^[A-Za-z0-9_]*/;
const SYMBOL = /[=!<>~]+$/;

/** Finds out what may stand at `offset`. Only `to` depends on the text after the offset. The text may be incomplete. */
export function contextAt(text: string, offset: number, options: SyntaxOptions): CursorContext {
  const before = text.slice(0, offset);
  const string = openString(before, options);
  const typed = string === undefined ? (WORD.exec(before)?.[0] ?? '') : before.slice(string + 1);
  const symbol = typed === '' && string === undefined ? (SYMBOL.exec(before)?.[0] ?? '') : '';
  const start = string ?? offset - typed.length - symbol.length;
  const tokens = tokensOf(before.slice(0, start), options);
  if (tokens === undefined)
    return {
      ...initial,
      isArgument: false,
      isInGroup: false,
      expects: 'nothing',
      typed,
      from: offset,
      to: offset,
      isInString: false,
    };
  const state = tokens.reduce(advance, initial);
  const from = string ?? (symbol === '' ? offset - (typed.split('.').at(-1) ?? '').length : start);
  const { frame, ...place } = state;
  return {
    ...place,
    isArgument: frame?.kind === 'call',
    isInGroup: frame?.kind === 'group',
    typed: symbol === '' ? typed : symbol,
    isInString: string !== undefined,
    from,
    to: offset + restLength(text, offset, string),
  };
}

function tokensOf(text: string, options: SyntaxOptions): readonly Token[] | undefined {
  try {
    return tokenize(text, options).slice(0, -1);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}

/** Returns the offset at which the string begins that is still open at the end of the text. */
function openString(text: string, options: SyntaxOptions): number | undefined {
  try {
    tokenize(text, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatapathError) || error.code !== 'unterminated_string') return undefined;
    const { offset, length } = error.violations[0];
    return offset + length === text.length ? offset : undefined;
  }
}

/** Returns the length of the rest of the name or string after the position. A suggestion replaces it, too. */
function restLength(text: string, offset: number, string: number | undefined): number {
  const rest = text.slice(offset);
  const length = REST_OF_NAME.exec(rest)?.[0].length ?? 0;
  if (string === undefined) return length;
  return rest[length] === text[string] ? length + 1 : 0;
}

type Frame = Pick<State, 'expects' | 'subject' | 'isCompared' | 'isOrdered' | 'isTerm'> & {
  readonly kind: 'group' | 'list' | 'date' | 'duration' | 'changed' | 'was' | 'call';
  /**
   * The call, list or group around this one. The link avoids an array of them, whose copies would cost quadratic time.
   */
  readonly outer: Frame | undefined;
};

interface State extends Omit<CursorContext, 'typed' | 'isArgument' | 'isInGroup' | 'isInString' | 'from' | 'to'> {
  readonly frame: Frame | undefined;
}

const initial: State = {
  expects: 'operand',
  subject: undefined,
  isCompared: false,
  isTerm: false,
  isNegated: false,
  isOrdered: false,
  isSigned: false,
  frame: undefined,
};

/** Reads one token. A token that the grammar forbids here makes the state expect `nothing`. */
function advance(state: State, token: Token): State {
  const { expects, frame } = state;
  if (expects === 'nothing') return state;
  switch (token.kind) {
    case 'path':
      if (expects === 'path') return { ...state, expects: 'separator', subject: token.path.text };
      if (expects !== 'operand') return nowhere(state);
      return {
        ...state,
        expects: 'operator',
        subject: state.isCompared || state.isTerm ? state.subject : token.path.text,
      };
    case 'string':
      if (frame?.kind === 'date') return { ...state, expects: 'separator' };
      return afterValue(state);
    case 'number':
    case 'TRUE':
    case 'FALSE':
    case 'NULL':
      return frame?.kind === 'duration' ? state : afterValue(state);
    case 'DATE':
    case 'DTDURATION':
      if (expects !== 'operand' && expects !== 'item') return nowhere(state);
      return push(state, token.kind === 'DATE' ? 'date' : 'duration');
    case 'CHANGED':
    case 'WAS':
      return expects === 'operand' ? push(state, token.kind === 'CHANGED' ? 'changed' : 'was') : nowhere(state);
    case 'call':
      return expects === 'operand' ? push(state, 'call') : nowhere(state);
    case 'IN':
      if (expects !== 'operator') return nowhere(state);
      return push({ ...state, isNegated: false }, 'list');
    case 'NOT':
      return expects === 'operator' ? { ...state, isNegated: true } : expects === 'operand' ? state : nowhere(state);
    case 'AND':
    case 'OR':
      return expects === 'operator' ? { ...initial, frame } : nowhere(state);
    case '(':
    case '{':
      return open(state, frame);
    case ')':
    case '}':
      return close(state, frame);
    case ',':
      if (frame?.kind === 'call') return { ...state, ...fresh, expects: 'operand' };
      return frame?.kind === 'list'
        ? { ...state, expects: 'item' }
        : frame?.kind === 'duration'
          ? state
          : nowhere(state);
    case '+':
    case '-':
      if (frame?.kind === 'duration') return state;
      if (expects === 'operand' || expects === 'item') return { ...state, isSigned: true };
      return expects === 'operator' ? { ...state, expects: 'operand', isTerm: true } : nowhere(state);
    case 'end':
      return state;
    default:
      return expects === 'operator'
        ? { ...state, expects: 'operand', isCompared: true, isOrdered: !EQUALITY.has(token.kind), isTerm: false }
        : nowhere(state);
  }
}

const EQUALITY: ReadonlySet<string> = new Set(['==', '!=']);

const nowhere = (state: State): State => ({ ...state, expects: 'nothing' });

function afterValue(given: State): State {
  const state = { ...given, isSigned: false };
  if (state.expects === 'item') return { ...state, expects: 'separator' };
  if (state.expects !== 'operand') return nowhere(state);
  return { ...state, expects: 'operator', subject: state.isCompared || state.isTerm ? state.subject : undefined };
}

/** Enters a call or a list, whose opening parenthesis or brace must be the next token. */
function push(state: State, kind: Frame['kind']): State {
  const { subject, isCompared, isOrdered, isTerm } = state;
  return {
    ...state,
    expects: 'opening',
    frame: { kind, expects: state.expects, subject, isCompared, isOrdered, isTerm, outer: state.frame },
  };
}

const INSIDE = {
  list: 'item',
  date: 'date',
  duration: 'separator',
  changed: 'path',
  was: 'path',
  call: 'operand',
} as const;

function open(state: State, frame: Frame | undefined): State {
  if (state.expects === 'operand') return { ...push(state, 'group'), ...fresh, expects: 'operand' };
  if (state.expects !== 'opening' || frame === undefined || frame.kind === 'group') return nowhere(state);
  return { ...state, ...(frame.kind === 'call' && fresh), expects: INSIDE[frame.kind] };
}

const fresh = { subject: undefined, isCompared: false, isOrdered: false, isTerm: false } as const;

/**
 * Leaves a call, a list or a group. An operator follows. After a call that was an item of a list, the next item
 * follows.
 */
function close(state: State, frame: Frame | undefined): State {
  if (frame === undefined) return nowhere(state);
  const { subject, isCompared, isOrdered, isTerm } = frame;
  const outer = { ...state, frame: frame.outer, subject, isCompared, isOrdered, isTerm };
  // CHANGED(…) is a complete condition. WAS(…) is a value of the type of its datapath.
  if (frame.kind === 'changed') return { ...outer, expects: 'operator', isCompared: true };
  if (frame.kind === 'was')
    return { ...outer, expects: 'operator', subject: isCompared || isTerm ? subject : state.subject };
  if (frame.kind === 'list') return { ...outer, expects: 'operator', isCompared: true };
  if (frame.kind === 'group')
    return { ...outer, expects: 'operator', subject: isCompared ? subject : undefined, isCompared: true };
  return { ...outer, expects: frame.expects === 'item' ? 'separator' : 'operator' };
}
