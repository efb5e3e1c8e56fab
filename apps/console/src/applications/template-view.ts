import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { ItemView } from '../data/item-view.js';
import { formValues } from '../parts/form-field.js';
import './template-preview.js';
import { type Draft } from './template-preview.js';

/** Shows a message template, with a preview for one application. While the template is edited, the preview follows. */
@customElement('ats-template-view')
export class TemplateView extends ItemView {
  /** The typed texts. Undefined while nothing is edited. */
  @state() private draft: Draft | undefined;

  protected override get place(): { readonly collection: string; readonly id: string } {
    return { collection: 'message_templates', id: this.params['id'] ?? '' };
  }

  protected override render(): TemplateResult {
    return html`<div @input=${this.#type}>${super.render()}</div>
      <ats-template-preview .template=${Number(this.params['id'])} .draft=${this.draft}></ats-template-preview>`;
  }

  protected override editingEnded(): void {
    this.draft = undefined;
  }

  readonly #type = (event: Event): void => {
    const { form } = event.target as HTMLInputElement;
    if (!form?.elements.namedItem('body')) return;
    const { type = '', subject = '', body = '' } = formValues(form);
    this.draft = { type, body, ...(subject !== '' && { subject }) };
  };
}
