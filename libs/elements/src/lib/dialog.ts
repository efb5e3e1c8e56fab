import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';

export interface DialogOptions {
  readonly language: Language;
  readonly title: string;
  readonly content: unknown;
  /** Called after the dialog was closed, also with the Escape key. */
  readonly close: () => void;
}

/** A modal dialog. It opens when it is added to the page. The browser keeps the focus inside. */
export const dialog = ({ language, title, content, close }: DialogOptions): TemplateResult => html`
  <dialog aria-label=${title} ${ref(open)} @close=${(event: Event) => closed(event, close)}>
    <header>
      <h2>${title}</h2>
      <button type="button" aria-label=${partText(language, 'close')} @click=${closeNearest}>✕</button>
    </header>
    ${content}
  </dialog>
`;

/** The dialogs that `suspendDialogs` has closed and `resumeDialogs` opens again. */
const suspended = new WeakSet<EventTarget>();

function closed({ target }: Event, close: () => void): void {
  if (target && !suspended.has(target)) close();
}

/** Closes the open dialogs of an element for a while, for example because the user has to sign in again. */
export function suspendDialogs(element: ParentNode): void {
  for (const dialog of element.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    suspended.add(dialog);
    dialog.close();
  }
}

/** Opens the suspended dialogs of an element again. Their fields still have the typed values. */
export function resumeDialogs(element: ParentNode): void {
  for (const dialog of element.querySelectorAll('dialog')) if (suspended.delete(dialog)) dialog.showModal();
}

const open = (element: Element | undefined): void => {
  if (element instanceof HTMLDialogElement && !element.open)
    queueMicrotask(() => {
      if (element.isConnected && !element.open) element.showModal();
    });
};

/** Closes the dialog that contains the target of an event. */
export const closeNearest = (event: Event): void => (event.target as Element).closest('dialog')?.close();
