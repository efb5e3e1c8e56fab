import { notificationTopicsList, type NotificationTopics } from '@ats/client';
import { emptyState, Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import '../parts/elements.js';
import { type Column } from '@ats/elements/parts';
import { t as titles } from './navigation.js';
import { QUERY, readAll } from './read-all.js';
import { t } from './texts.js';

const columns = (): readonly Column<NotificationTopics>[] => [
  { title: t('name'), cell: ({ name }) => name },
  { title: t('type'), cell: ({ type }) => html`<code dir="ltr">${type}</code>` },
  { title: t('expression'), cell: ({ expression }) => html`<code dir="ltr">${expression ?? '–'}</code>` },
];

/** Shows all topics. */
@customElement('ats-topics')
export class Topics extends ViewElement {
  readonly #load = new Load(this, (signal) => readAll(notificationTopicsList, { client: api(), signal }));

  protected override render(): TemplateResult {
    const create = hasScope('notifications:create')
      ? html`<a class="button primary" href=${href('webhooks/topics/new')}>${t('newTopic')}</a>`
      : '';
    return html`
      <div class="row">
        <h1>${titles('topics')}</h1>
        <ats-call-button
          .call=${{ method: 'GET', path: '/notification_topics', operation: 'notificationTopicsList', query: QUERY }}
        ></ats-call-button>
      </div>
      ${this.#load.render((topics) =>
        topics.length === 0
          ? emptyState(t('noTopics'), t('noTopicsHelp'), create)
          : html`<div class="actions">${create}</div>
              <ats-data-table .language=${this.language} label=${titles('topics')} .columns=${columns()} .rows=${topics}
                .hrefOf=${({ id }: NotificationTopics) => href(`webhooks/topics/${id}`)}></ats-data-table>`,
      )}
    `;
  }
}
