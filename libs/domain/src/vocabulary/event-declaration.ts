import { type Message } from '@ats/message';

/** The kinds of changes that raise events. Writes note them with `noteChanges`. */
export type ChangeKind = 'create' | 'update' | 'delete' | 'anonymise' | 'form_values' | 'sent' | 'failed' | 'revoke';

/** One event type. */
export interface EventDeclaration {
  /** The object type of the subject. The datapaths in the expressions of a topic begin with this object type. */
  readonly root: string;
  /** The meaning of the type, for people. */
  readonly text: Message;
  /** The change of the subject that raises the event. Absent when a rule of its own raises it. */
  readonly on?: ChangeKind;
  /** True when messages contain their `type`. The oldest types lack it, and their messages never change. */
  readonly hasTypeInBody?: boolean;
  /**
   * True for a type whose snapshots always contain the values of related objects. The snapshots of other types contain
   * the stored values of the subject that are not personal, and the values that topics use.
   */
  readonly isWhole?: boolean;
}

type Declared<Root extends string, Texts> = {
  readonly [Type in keyof Texts]: EventDeclaration & { readonly root: Root };
};

/**
 * Declares the events of one object type, each with the change that raises it. The shared write path raises them.
 * @param more  properties of all these events
 */
export function eventsOf<
  Root extends string,
  Texts extends Readonly<Record<string, Pick<EventDeclaration, 'on' | 'text'>>>,
>(
  root: Root,
  texts: Texts,
  more: Pick<EventDeclaration, 'hasTypeInBody' | 'isWhole'> = { hasTypeInBody: true },
): Declared<Root, Texts> {
  return Object.fromEntries(
    Object.entries(texts).map(([type, declaration]) => [type, { ...declaration, ...more, root }]),
  ) as Declared<Root, Texts>;
}
