export { directionOf } from './lib/direction.js';
export { type Catalogue, createLocaliser, type Localiser } from './lib/localiser.js';
