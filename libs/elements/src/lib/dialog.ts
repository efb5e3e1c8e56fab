import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';

export interface DialogOptions {
  readonly language: Language;
  readonly title: string;
  readonly content: unknown;
  /** Called when the dialog was closed, also by the Escape key. */
  readonly close: () => void;
}

/** A modal dialog. It is open while it is in the page, and the browser keeps the focus inside. */
export const dialog = ({ language, title, content, close }: DialogOptions): TemplateResult => html`
  <dialog aria-label=${title} ${ref(open)} @close=${close}>
    <header>
      <h2>${title}</h2>
      <button type="button" aria-label=${partText(language, 'close')} @click=${closeNearest}>✕</button>
    </header>
    ${content}
  </dialog>
`;

const open = (element: Element | undefined): void => {
  if (element instanceof HTMLDialogElement && !element.open)
    queueMicrotask(() => {
      if (element.isConnected && !element.open) element.showModal();
    });
};

/** Closes the dialog around the element of an event. */
export const closeNearest = (event: Event): void => (event.target as Element).closest('dialog')?.close();
