import { expect, test } from '@jest/globals';
import { defineElements } from './define-elements.js';
import { DeliveryLog } from './delivery-log.js';
import { ExpressionEditor } from './expression-editor.js';

test('the elements are defined once, and only on demand', () => {
  expect(customElements.get('ats-delivery-log')).toBeUndefined();
  defineElements();
  defineElements();
  expect(customElements.get('ats-delivery-log')).toBe(DeliveryLog);
  expect(customElements.get('ats-expression-editor')).toBe(ExpressionEditor);
});
