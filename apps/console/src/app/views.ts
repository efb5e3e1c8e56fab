import { VIEWS as ADMINISTRATION } from '../administration/views.js';
import { VIEWS as APPLICATIONS } from '../applications/views.js';
import { VIEWS as DATA } from '../data/views.js';
import { VIEWS as WEBHOOKS } from '../webhooks/views.js';
import { t } from './texts.js';
import { type Area } from './view.js';

/** All areas with their views, in the order of the navigation. A specific path comes before a more general one. */
export const AREAS: readonly Area[] = [
  { title: () => t('webhooks'), views: WEBHOOKS },
  { title: () => t('data'), views: [...APPLICATIONS, ...DATA] },
  { title: () => t('administration'), views: ADMINISTRATION },
];
