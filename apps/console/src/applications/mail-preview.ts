import { html, type TemplateResult } from 'lit';
import { t } from './texts.js';

/** A message with filled-in placeholders. */
export interface Filled {
  readonly subject: string;
  readonly body: string;
}

/** Shows a message as its receiver will read it. */
export const mailPreview = ({ subject, body }: Filled): TemplateResult => html`<div class="preview" role="status">
  <h3>${t('preview')}</h3>
  <b dir="auto">${subject}</b>
  <pre tabindex="0" dir="auto">${body}</pre>
</div>`;
