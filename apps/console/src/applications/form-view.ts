import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { ItemView, type WritableItem } from '../data/item-view.js';
import './applications.css';
import './condition-form.js';
import { type ConditionForm } from './condition-form.js';
import './form-preview.js';

/** Shows a form and the editor of its conditions, and beside them a preview that follows the edits. */
@customElement('ats-form-view')
export class FormView extends ItemView {
  /** The sections with the edited conditions. Undefined while the editor of conditions has no edits. */
  @state() private conditional: unknown;
  /** The last valid sections that the user typed in the form. Undefined while the form has no edits. */
  @state() private typed: unknown;

  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'forms', id: this.params['id'] ?? '' };
  }

  protected override render(): TemplateResult {
    const { item } = this;
    if (!item) return super.render();
    const sections = this.typed ?? this.conditional ?? item['sections'];
    return html`<div class="beside">
      <div>${super.render()}</div>
      <ats-form-preview .resource=${item['resource']} .sections=${sections}></ats-form-preview>
    </div>`;
  }

  protected override draftChanged(draft: Readonly<Record<string, unknown>>): void {
    if (draft['sections'] !== undefined) this.typed = draft['sections'];
  }

  protected override editingEnded(): void {
    this.typed = undefined;
  }

  protected override editors({ item, path, submit }: WritableItem): TemplateResult {
    return html`<ats-condition-form .path=${path} .form=${item} .submit=${submit}
      @conditions-change=${this.#follow}></ats-condition-form>`;
  }

  readonly #follow = (event: Event): void => {
    const { isEdited, sections } = event.target as ConditionForm;
    this.conditional = isEdited ? sections : undefined;
  };
}
