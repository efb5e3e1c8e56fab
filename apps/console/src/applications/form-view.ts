import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { ItemView, type WritableItem } from '../data/item-view.js';
import './condition-form.js';

/** Shows a form, and below it the editor of its conditions. */
@customElement('ats-form-view')
export class FormView extends ItemView {
  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'forms', id: this.params['id'] ?? '' };
  }

  protected override editors({ item, path, submit }: WritableItem): TemplateResult {
    return html`<ats-condition-form .path=${path} .form=${item} .submit=${submit}></ats-condition-form>`;
  }
}
