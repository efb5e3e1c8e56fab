import { type View } from '../app/view.js';
import { t } from './titles.js';

/** The views of the data area. The catalogue of the service decides which collections a credential may read. */
export const VIEWS: readonly View[] = [
  {
    path: 'data',
    title: () => t('data'),
    scopes: [],
    isInNavigation: true,
    tag: 'ats-data-view',
    load: () => import('./data-view.js'),
  },
  {
    path: 'data/:collection',
    title: () => t('data'),
    scopes: [],
    tag: 'ats-collection-view',
    load: () => import('./collection-view.js'),
  },
  {
    path: 'data/:collection/:id',
    title: () => t('data'),
    scopes: [],
    tag: 'ats-item-view',
    load: () => import('./item-view.js'),
  },
];
