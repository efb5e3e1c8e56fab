import { type Message, message } from '@ats/message';

/** The kinds of changes that raise events. Writes note them with `noteChanges`. */
export type ChangeKind = 'create' | 'update' | 'delete' | 'anonymise' | 'form_values' | 'sent' | 'failed' | 'revoke';

/** The declaration of one event type. */
export interface EventDeclaration {
  /** The object type of the subject. The datapaths in the expressions of a topic begin with this object type. */
  readonly root: string;
  /** The meaning of the event type, as people read it. */
  readonly text: Message;
  /** The kind of change of the subject that raises the event. Absent when a separate rule raises it. */
  readonly on?: ChangeKind;
  /**
   * True when messages have a `type`. Messages of the oldest event types have none, and the form of these messages
   * never changes.
   */
  readonly hasTypeInBody?: boolean;
  /**
   * True for an event type whose snapshots always contain values of related objects. Other snapshots contain the stored
   * values of the subject that are not personal, and the values that topics use.
   */
  readonly isWhole?: boolean;
}

type Declared<Root extends string, Texts> = {
  readonly [Type in keyof Texts]: EventDeclaration & { readonly root: Root };
};

/** The default texts of event types, by the kind of change that raises the event. */
const TEXTS: { readonly [Kind in ChangeKind]?: (root: string) => Message } = {
  create: (root) => message`An object of the type ${root} was created.`,
  update: (root) => message`Properties of an object of the type ${root} changed.`,
  delete: (root) => message`An object of the type ${root} was deleted.`,
};

function textOf(root: string, type: string, { on, text }: Partial<EventDeclaration>): Message {
  const found = text ?? (on && TEXTS[on]?.(root));
  if (!found) throw new Error(`the event type ${type} needs a text`);
  return found;
}

/**
 * Declares the event types of one object type. The functions for writes, such as `replaceObject`, raise the events of
 * each kind of change. Event types for `create`, `update` and `delete` may omit their text.
 * @param more  properties that all these event types have
 */
export function eventsOf<
  Root extends string,
  Texts extends Readonly<Record<string, Partial<Pick<EventDeclaration, 'on' | 'text'>>>>,
>(
  root: Root,
  texts: Texts,
  more: Pick<EventDeclaration, 'hasTypeInBody' | 'isWhole'> = { hasTypeInBody: true },
): Declared<Root, Texts> {
  return Object.fromEntries(
    Object.entries(texts).map(([type, declaration]) => [
      type,
      { ...declaration, ...more, root, text: textOf(root, type, declaration) },
    ]),
  ) as Declared<Root, Texts>;
}
