import { type View } from '../app/view.js';

/** The views of this area. */
export const VIEWS: readonly View[] = [];
