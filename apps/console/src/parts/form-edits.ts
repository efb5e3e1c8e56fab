import { LitElement, type ReactiveController } from 'lit';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Tells whether a user has changed a field of the forms that an element renders. Values that the element sets itself are
 * no changes, as long as the user has changed nothing.
 */
export class FormEdits implements ReactiveController {
  #initial = new WeakMap<Control, string>();

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostUpdate(): void {
    // The values that the element renders next are the initial ones.
    if (!this.isEdited) this.#initial = new WeakMap();
  }

  hostUpdated(): void {
    for (const control of this.#controls())
      if (!this.#initial.has(control)) this.#initial.set(control, valueOf(control));
  }

  get isEdited(): boolean {
    return this.#controls().some((control) => {
      const initial = this.#initial.get(control);
      return initial !== undefined && initial !== valueOf(control);
    });
  }

  /** Takes the present values as saved ones. */
  saved(): void {
    this.#initial = new WeakMap();
    this.hostUpdated();
  }

  /** Returns the controls in forms, without those that another element inside renders. */
  #controls(): readonly Control[] {
    const found = this.host.querySelectorAll<Control>(':is(input, select, textarea)');
    return [...found].filter((control) => control.form !== null && ownerOf(control) === this.host);
  }
}

function ownerOf(control: Control): Element | null {
  let element = control.parentElement;
  while (element && !(element instanceof LitElement)) element = element.parentElement;
  return element;
}

function valueOf(control: Control): string {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value).join('\n');
  return control instanceof HTMLInputElement && control.type === 'checkbox' ? String(control.checked) : control.value;
}
