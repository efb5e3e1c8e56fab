import { type View } from '../app/view.js';
import { t } from './texts.js';

/** The views of the applications area. */
export const VIEWS: readonly View[] = [
  {
    path: 'applications/:collection/:id',
    title: () => t('application'),
    scopes: ['applications:read'],
    tag: 'ats-application-view',
    load: () => import('./application-view.js'),
  },
];
