import { namesOf } from '../checking/name-hint.js';
import { attributeOf, type HostFunction, relationOf } from '../checking/model.js';
import { collectionOf } from '../syntax/collection.js';
import { printString } from '../syntax/string-literal.js';
import { type CursorContext, contextAt } from './cursor.js';
import { type LanguageModel, reach, type Reached } from './language-model.js';

/** The kind of text that a completion inserts. */
export type CompletionKind = 'attribute' | 'relation' | 'key' | 'value' | 'function' | 'operator' | 'keyword';

/** One suggestion of an editor. */
export interface Completion {
  /** The kind of text that the suggestion inserts. */
  readonly kind: CompletionKind;
  /** The text that the suggestion inserts in place of the text from `from` to `to`. */
  readonly text: string;
  /** The type of a datapath, such as `datetime` or `user[]`. */
  readonly detail?: string;
  /** A name of the datapath for people. */
  readonly label?: string | undefined;
  /** A sentence for people that describes the datapath. */
  readonly description?: string | undefined;
}

/** Suggestions for a position. They replace the text from `from` to `to`, in UTF-16 units. */
export interface Completions {
  /** The offset at which the replaced text begins. */
  readonly from: number;
  /** The offset at which the replaced text ends. */
  readonly to: number;
  /** The completions, the best ones first. */
  readonly items: readonly Completion[];
}

/** Suggests what may stand at a position, the most likely first. The text may be incomplete. */
export function complete(text: string, offset: number, model: LanguageModel, roots: readonly string[]): Completions {
  const context = contextAt(text, offset, model);
  const typed = (context.isInString ? context.typed : (context.typed.split('.').at(-1) ?? '')).toLowerCase();
  const items = suggestions(context, model, roots).filter((item) => {
    const start = context.isInString ? item.text.slice(1) : item.text;
    return start.toLowerCase().startsWith(typed);
  });
  return { from: context.from, to: context.to, items };
}

function suggestions(context: CursorContext, model: LanguageModel, roots: readonly string[]): readonly Completion[] {
  const { expects, typed, isInString } = context;
  if (context.isSigned) return [];
  const subject = context.subject === undefined ? undefined : reach(context.subject.split('.'), model, roots);
  if (expects === 'date') return ['"today"', '"now"'].map((text) => ({ kind: 'value', text }));
  if (expects === 'opening') return [{ kind: 'operator', text: '(' }];
  if (isInString) return expects === 'operand' || expects === 'item' ? texts(subject) : [];
  if (expects === 'item') return values(subject, context);
  if (expects === 'operator') {
    const closing: readonly Completion[] = context.isInGroup ? [{ kind: 'operator', text: ')' }] : [];
    return [...operators(subject, context), ...(context.isNegated ? [] : closing)];
  }
  if (expects !== 'operand' && expects !== 'path') return [];
  if (typed.includes('.')) return names(typed.split('.').slice(0, -1), model, roots);
  const objects = roots.map((text): Completion => ({ kind: 'relation', text, detail: text }));
  if (expects === 'path') return objects;
  if (context.isTerm) return [...(isTemporal(subject) ? [duration] : []), ...objects];
  const calls = (model.functions ?? []).map(callOf);
  const past = model.hasPast === true ? [changed, was] : [];
  if (context.isArgument) return [...objects, ...functions, ...calls];
  if (context.isCompared) return [...values(subject, context), ...objects, ...past.slice(1), ...calls];
  return [...objects, { kind: 'keyword', text: 'NOT' }, ...past, ...functions, ...calls];
}

const duration: Completion = { kind: 'function', text: 'DTDURATION(7, 0, 0, 0)' };
const dates = ['DATE("today")', 'DATE("now")'].map((text): Completion => ({ kind: 'function', text }));
const functions: readonly Completion[] = [...dates, duration];

const changed: Completion = { kind: 'function', text: 'CHANGED(', detail: 'boolean' };
const was: Completion = { kind: 'function', text: 'WAS(' };

/** Suggests a function of the host. */
const callOf = ({ name, result }: HostFunction): Completion => ({ kind: 'function', text: `${name}(`, detail: result });

const isTemporal = (subject: Reached | undefined): boolean => subject?.type === 'date' || subject?.type === 'datetime';

/** Returns the names that may follow a relation. After a keyed collection, such as `formdata`, returns its keys. */
function names(before: readonly string[], model: LanguageModel, roots: readonly string[]): readonly Completion[] {
  const collection = collectionOf(model, before.at(-1) ?? '')?.name;
  if (collection !== undefined) {
    const owner = reach(before.slice(0, -1), model, roots)?.shape;
    const keys = owner?.collections?.includes(collection) === true ? (model.keys?.(owner.name, collection) ?? []) : [];
    return keys.map(({ key, label }) => ({
      kind: 'key',
      text: key,
      detail: typeText(reach([...before, key], model, roots)),
      label,
    }));
  }
  const shape = reach(before, model, roots)?.shape;
  if (shape === undefined) return [];
  return namesOf(shape).map((text): Completion => {
    const kind = attributeOf(shape, text) !== undefined ? 'attribute' : 'relation';
    const target = relationOf(shape, text);
    const detail = target
      ? `${target.target}${target.many === true ? '[]' : ''}`
      : typeText(reach([...before, text], model, roots));
    return { kind, text, ...(detail !== '' && { detail }), ...model.describe?.(shape.name, text) };
  });
}

/** Prints the type of a value or object, such as `text[]`. Returns an empty text for an unknown one. */
export function typeText(reached: Reached | undefined): string {
  if (reached === undefined) return '';
  const type = reached.type === 'reference' ? (reached.shape?.name ?? 'reference') : reached.type;
  return reached.many ? `${type}[]` : type;
}

const texts = (subject: Reached | undefined): readonly Completion[] =>
  (subject?.type === 'text' ? (subject.values ?? []) : []).map((value) => ({
    kind: 'value',
    text: printString(value),
  }));

/** Returns the values that can be compared with the left side of the comparison. */
function values(subject: Reached | undefined, { expects, isOrdered }: CursorContext): readonly Completion[] {
  const allowed = isOrdered ? [] : subject?.type === 'boolean' ? ['TRUE', 'FALSE', 'NULL'] : ['NULL'];
  const keywords = allowed.map((text): Completion => ({ kind: 'keyword', text }));
  const listed = texts(subject);
  const calls = isTemporal(subject) ? (expects === 'item' ? dates.slice(0, 1) : dates) : [];
  return [...listed, ...calls, ...keywords];
}

const EQUALITY = ['==', '!='] as const;
const ORDER = ['<', '<=', '>', '>='] as const;
const MEMBERSHIP = ['IN', 'NOT IN'] as const;

/** Returns the operators that may follow an operand of this type. */
function operators(
  subject: Reached | undefined,
  { isCompared, isTerm, isNegated, isArgument }: CursorContext,
): readonly Completion[] {
  const toItem = (text: string): Completion => ({ kind: /^[A-Z]/.test(text) ? 'keyword' : 'operator', text });
  if (isNegated) return [toItem('IN')];
  const sums = isTemporal(subject) || subject?.type === 'integer' || subject?.type === 'decimal' ? ['+', '-'] : [];
  if (isArgument) return sums.map(toItem);
  const chain = ['AND', 'OR'];
  if (isCompared) return [...chain, ...sums].map(toItem);
  if (subject?.type === 'boolean') return [...chain, ...EQUALITY, ...MEMBERSHIP].map(toItem);
  if (subject?.type === 'text' || subject?.type === 'rich_text')
    return [...EQUALITY, '=~', '!~', ...MEMBERSHIP, ...ORDER].map(toItem);
  const comparisons = [...EQUALITY, ...ORDER, ...(isTerm ? [] : MEMBERSHIP)];
  return [...comparisons, ...sums].map(toItem);
}
