import { type View } from '../app/view.js';
import { t } from './navigation.js';

/** The views of this area. The more special path comes first. */
export const VIEWS: readonly View[] = [
  {
    path: 'webhooks',
    title: () => t('overview'),
    scopes: ['notifications:read'],
    isInNavigation: true,
    tag: 'ats-webhook-overview',
    load: () => import('./overview.js'),
  },
];
