import { html, type nothing, type TemplateResult } from 'lit';
import { t } from './texts.js';

/** A message with filled-in placeholders. */
export interface Filled {
  readonly subject: string;
  readonly body: string;
}

/** Shows a message as its receiver will read it. */
export const mailPreview = (
  { subject, body }: Filled,
  heading: TemplateResult | typeof nothing = html`<h3>${t('preview')}</h3>`,
): TemplateResult => html`<div class="preview" role="status">
  ${heading}
  <b dir="auto">${subject}</b>
  <pre tabindex="0" dir="auto">${body}</pre>
</div>`;
