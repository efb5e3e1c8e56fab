import { LitElement, type ReactiveController } from 'lit';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Tells whether the user has changed a field in the forms of an element. Until the first change by the user, values
 * that the element itself sets count as initial values.
 */
export class FormEdits implements ReactiveController {
  #initial = new WeakMap<Control, string>();

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostUpdate(): void {
    // Until the user changes a field, each render sets the initial values anew.
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

  /** Makes the present values of all fields the initial values. Call it after the values were saved. */
  saved(): void {
    this.#initial = new WeakMap();
    this.hostUpdated();
  }

  /** Returns the fields that the element itself renders in forms. It leaves out the fields of nested elements. */
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
