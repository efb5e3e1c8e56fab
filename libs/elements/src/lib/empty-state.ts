import { html, type TemplateResult } from 'lit';

/** Returns a text that says why a view is empty and what the user can do. `action` is a link or a button. */
export const emptyState = (title: string, help: string, action: unknown = ''): TemplateResult => html`
  <div class="empty">
    <h2>${title}</h2>
    <p>${help}</p>
    ${action}
  </div>
`;
