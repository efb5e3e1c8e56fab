import { DataTable } from './data-table.js';
import { Delivery } from './delivery.js';
import { DeliveryLog } from './delivery-log.js';
import { ExpressionEditor } from './expression-editor.js';

const ELEMENTS = {
  'ats-data-table': DataTable,
  'ats-delivery': Delivery,
  'ats-delivery-log': DeliveryLog,
  'ats-expression-editor': ExpressionEditor,
} as const;

/** Defines `<ats-delivery-log>` and `<ats-expression-editor>`. Further calls do nothing. */
export function defineElements(): void {
  for (const [name, element] of Object.entries(ELEMENTS))
    if (!customElements.get(name)) customElements.define(name, element);
}

declare global {
  interface HTMLElementTagNameMap {
    'ats-delivery-log': DeliveryLog;
    'ats-expression-editor': ExpressionEditor;
  }
}
