/** The parts that the console shares with the elements. The published package has no entry for them. */
export { formModelOf, languageServiceOf } from './lib/catalogue.js';
export { type Column, DataTable } from './lib/data-table.js';
export { type LoggedDelivery } from './lib/deliveries.js';
export { closeNearest, dialog, type DialogOptions, resumeDialogs, suspendDialogs } from './lib/dialog.js';
export { emptyState } from './lib/empty-state.js';
export {
  type Catalogue,
  directionOf,
  fillText,
  formatNumber,
  formatTime,
  isLanguage,
  type Language,
  LANGUAGES,
  textsOf,
} from './lib/languages.js';
export { Load } from './lib/load.js';
export { partText } from './lib/part-texts.js';
export { faultAt, problemBox } from './lib/problem.js';
