import { type View } from '../app/view.js';
import { t } from './navigation.js';

const SCOPES = ['notifications:read'];

/** The views of the webhooks area. A specific path comes before a more general one. */
export const VIEWS: readonly View[] = [
  {
    path: 'webhooks',
    title: () => t('overview'),
    scopes: SCOPES,
    isInNavigation: true,
    tag: 'ats-webhook-overview',
    load: () => import('./overview.js'),
  },
  {
    path: 'webhooks/subscribe',
    title: () => t('subscribe'),
    scopes: [...SCOPES, 'notifications:create'],
    isInNavigation: true,
    tag: 'ats-subscribe',
    load: () => import('./subscribe.js'),
  },
  {
    path: 'webhooks/endpoints',
    title: () => t('endpoints'),
    scopes: SCOPES,
    isInNavigation: true,
    tag: 'ats-endpoints',
    load: () => import('./endpoints.js'),
  },
  {
    path: 'webhooks/endpoints/:id',
    title: () => t('endpoint'),
    scopes: SCOPES,
    tag: 'ats-endpoint',
    load: () => import('./endpoint.js'),
  },
  {
    path: 'webhooks/log',
    title: () => t('log'),
    scopes: SCOPES,
    isInNavigation: true,
    tag: 'ats-delivery-log-view',
    load: () => import('./log.js'),
  },
  {
    path: 'webhooks/topics',
    title: () => t('topics'),
    scopes: SCOPES,
    isInNavigation: true,
    tag: 'ats-topics',
    load: () => import('./topics.js'),
  },
  {
    path: 'webhooks/topics/new',
    title: () => t('topic'),
    scopes: [...SCOPES, 'notifications:create'],
    tag: 'ats-topic',
    load: () => import('./topic.js'),
  },
  {
    path: 'webhooks/topics/:id',
    title: () => t('topic'),
    scopes: SCOPES,
    tag: 'ats-topic',
    load: () => import('./topic.js'),
  },
];
