import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { ItemView, type WritableItem } from '../data/item-view.js';
import './condition-form.js';

/** Shows a form, with its conditions. While a condition is edited, a preview of the objects that meet it follows. */
@customElement('ats-form-view')
export class FormView extends ItemView {
  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'forms', id: this.params['id'] ?? '' };
  }

  protected override editors({ item, path, submit }: WritableItem): TemplateResult {
    return html`<ats-condition-form .path=${path} .form=${item} .submit=${submit}></ats-condition-form>`;
  }
}
