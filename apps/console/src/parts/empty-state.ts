import { html, type TemplateResult } from 'lit';

/** Says why a view is empty, and what to do. `action` is a link or a button. */
export const emptyState = (title: string, help: string, action: unknown = ''): TemplateResult => html`
  <div class="empty">
    <h2>${title}</h2>
    <p>${help}</p>
    ${action}
  </div>
`;
