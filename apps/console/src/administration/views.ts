import { type View } from '../app/view.js';
import { t } from './titles.js';

/** The views of the administration area. */
export const VIEWS: readonly View[] = [
  {
    path: 'administration/credentials',
    title: () => t('credentials'),
    scopes: ['credentials:read'],
    isInNavigation: true,
    tag: 'ats-credentials-view',
    load: () => import('./credentials-view.js'),
  },
  {
    path: 'administration/audit',
    title: () => t('audit'),
    scopes: ['audit:read'],
    isInNavigation: true,
    tag: 'ats-audit-view',
    load: () => import('./audit-view.js'),
  },
  {
    path: 'administration/system',
    title: () => t('system'),
    scopes: ['systems:read'],
    isInNavigation: true,
    tag: 'ats-system-view',
    load: () => import('./system-view.js'),
  },
  {
    path: 'administration/boards',
    title: () => t('boards'),
    scopes: ['job_boards:read'],
    isInNavigation: true,
    tag: 'ats-boards-view',
    load: () => import('./boards-view.js'),
  },
];
