export { type Catalogue, type CatalogueLanguage, CATALOGUES } from './lib/catalogues.js';
export { localise } from './lib/localise.js';
export { directionOf } from './lib/direction.js';
