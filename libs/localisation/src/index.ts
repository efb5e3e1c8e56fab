export { CATALOGUES } from './lib/catalogues.js';
export { directionOf } from './lib/direction.js';
export { localise } from './lib/localise.js';
