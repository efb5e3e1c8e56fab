import { problemBox } from '@ats/elements/parts';
import { type nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';

/**
 * Shows an error of the service with the id of the request. `.fields` contains the JSON pointers or the parameters of
 * fields that show their violations themselves. The box leaves out these violations.
 */
@customElement('ats-problem')
export class ProblemBox extends ConsoleElement {
  @property({ attribute: false }) error: unknown;
  @property({ attribute: false }) fields: readonly string[] = [];
  /** Called by the button “Try again”. When it is absent, there is no such button. */
  @property({ attribute: false }) retry: (() => unknown) | undefined;

  protected override render(): TemplateResult | typeof nothing {
    return problemBox(this.language, this.error, { fields: this.fields, retry: this.retry });
  }
}
