import { emptyState } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { href } from '../app/router.js';
import { hasScope } from '../app/session.js';
import { t as titles } from './navigation.js';
import { t } from './texts.js';

/** Returns the text that replaces an empty list of endpoints. */
export const noEndpoints = (): TemplateResult =>
  emptyState(
    t('noEndpoints'),
    t('noEndpointsHelp'),
    hasScope('notifications:create')
      ? html`<a class="button primary" href=${href('webhooks/subscribe')}>${titles('subscribe')}</a>`
      : '',
  );
