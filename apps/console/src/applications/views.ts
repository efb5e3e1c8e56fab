import { type View } from '../app/view.js';
import { t } from './titles.js';

/** The views of the applications area. */
export const VIEWS: readonly View[] = [
  {
    path: 'applications/:collection/:id',
    title: () => t('application'),
    scopes: ['applications:read'],
    tag: 'ats-application-view',
    load: () => import('./application-view.js'),
  },
  {
    path: 'data/message_templates/:id',
    title: () => t('template'),
    scopes: ['communications:read'],
    tag: 'ats-template-view',
    load: () => import('./template-view.js'),
  },
  {
    path: 'data/forms/:id',
    title: () => t('form'),
    scopes: ['forms:read'],
    tag: 'ats-form-view',
    load: () => import('./form-view.js'),
  },
];
