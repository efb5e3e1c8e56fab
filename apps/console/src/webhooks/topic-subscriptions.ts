import {
  type NotificationSubscriptions,
  notificationSubscriptionsDelete,
  notificationSubscriptionsList,
} from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { t as common } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import { closeNearest, dialog } from '../parts/dialog.js';
import '../parts/problem.js';
import { toast } from '../parts/toast.js';
import { t as titles } from './navigation.js';
import { readAll } from './read-all.js';
import { t } from './texts.js';

/** The subscriptions of a topic, each with a button that ends it. */
@customElement('ats-topic-subscriptions')
export class TopicSubscriptions extends ConsoleElement {
  @property({ attribute: false }) topicId = 0;
  /** The subscription that the open dialog is about. */
  @state() private ending: NotificationSubscriptions | undefined;
  @state() private error: unknown;
  readonly #load = new Load(this, (signal) =>
    readAll(notificationSubscriptionsList, { client: api(), path: { topicId: this.topicId }, signal }),
  );

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="subscriptions-heading">
      <h2 id="subscriptions-heading">${t('subscriptions')}</h2>
      ${this.#load.render((subscriptions) =>
        subscriptions.length === 0
          ? html`<p>${t('noSubscriptions')}</p>${this.#subscribe()}`
          : html`<ul class="plain">${subscriptions.map((one) => this.#row(one))}</ul>`,
      )}
      ${this.ending ? this.#dialog(this.ending) : nothing}
    </section>`;
  }

  #subscribe(): TemplateResult | typeof nothing {
    return hasScope('notifications:create')
      ? html`<a class="button" href=${href(`webhooks/subscribe?topic=${this.topicId}`)}>${titles('subscribe')}</a>`
      : nothing;
  }

  #row(subscription: NotificationSubscriptions): TemplateResult {
    const { endpoint, status } = subscription;
    const name = nameOf(subscription);
    return html`<li class="row">
      ${
        endpoint
          ? html`<a href=${href(`webhooks/endpoints/${endpoint.id}`)}><bdi>${name}</bdi></a>`
          : html`<bdi>${name}</bdi>`
      }
      <span class="actions">
        <span class="badge calm">${t(`subscription.${status}`)}</span>
        ${
          hasScope('notifications:delete')
            ? html`<button type="button" class="danger" aria-label=${`${t('endSubscription')}: ${name}`}
                @click=${() => (this.ending = subscription)}>${t('endSubscription')}</button>`
            : nothing
        }
      </span>
    </li>`;
  }

  #dialog(subscription: NotificationSubscriptions): TemplateResult {
    const end = async (event: Event): Promise<void> => {
      this.error = undefined;
      try {
        const path = { topicId: this.topicId, id: subscription.id };
        await notificationSubscriptionsDelete({ client: api(), path });
        closeNearest(event);
        toast(t('subscriptionEnded'));
        await this.#load.run();
      } catch (error) {
        this.error = error;
      }
    };
    return dialog({
      title: t('endSubscription'),
      close: () => {
        this.ending = undefined;
        this.error = undefined;
      },
      content: html`<p>${t('endSubscriptionSure', { name: nameOf(subscription) })}</p>
        <ats-problem .error=${this.error}></ats-problem>
        <div class="actions">
          <button class="danger" @click=${end}>${t('endSubscription')}</button>
          <button @click=${closeNearest}>${common('cancel')}</button>
        </div>`,
    });
  }
}

const nameOf = ({ id, destination_url: url }: NotificationSubscriptions): string => url ?? `#${id}`;
