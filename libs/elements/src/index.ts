export { type LoggedDelivery } from './lib/deliveries.js';
export { defineElements } from './lib/define-elements.js';
export { DeliveryLog } from './lib/delivery-log.js';
export { EmbeddedElement } from './lib/embedded-element.js';
export { ExpressionEditor } from './lib/expression-editor.js';
export { type Language } from './lib/languages.js';
