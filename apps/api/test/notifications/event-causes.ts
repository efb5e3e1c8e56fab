import {
  announceAnonymisations,
  type EventType,
  markCommunicationFailed,
  markCommunicationSent,
  recordExhausted,
  recordSubscriptionEvents,
} from '@ats/domain';
import { expect } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type Api, BASE_URL } from '../support/api-harness.js';
import { below, expectStatus, type Factories } from '../support/factories.js';

/**
 * A function that causes events of one type, one for each kind of subject.
 * @returns the subjects in the order of their events
 */
type Cause = () => Promise<readonly Item[]>;

/** Maps each event type to a function that causes its events. The compiler demands a cause for every event type. */
export function eventCauses(api: Api, make: Factories): Readonly<Record<EventType, Cause>> {
  const settings = { baseUrl: BASE_URL, language: 'en' };
  const moved = async (item: Item, property: string, state: string): Promise<Item> => {
    expectStatus(200, await api.put(`${below(item.url)}/${property}`, { state }));
    return item;
  };
  const setRetention = async (days: number | null): Promise<void> => {
    expectStatus(200, await api.request('PATCH', '/api/v1/systems/1', { body: { candidate_retention_days: days } }));
  };
  const changed = async (item: Item, body: object): Promise<Item> => {
    expectStatus(200, await api.request('PATCH', `/api/v1${below(item.url)}`, { body }));
    return item;
  };
  const deleted = async (item: Item): Promise<Item> => {
    expectStatus(204, await api.delete(below(item.url)));
    return item;
  };
  /** Creates applications of both kinds. */
  const applications = async (): Promise<readonly Item[]> => [await make.application(), await make.eventApplication()];
  /** Creates a candidate without applications. */
  const candidate = (): Promise<Item> => make.candidate();
  /** Creates an e-mail. Then calls `end`, as the notifier does when it ends the sending of the e-mail. */
  const communication = async (end: (id: number) => Promise<unknown>): Promise<readonly Item[]> => {
    const item = await make.communication();
    await end(item.id);
    return [item];
  };
  return {
    APPLICATION_CREATE: applications,
    APPLICATION_UPDATE: async () =>
      Promise.all((await applications()).map((application) => changed(application, { rating: 3 }))),
    APPLICATION_DELETE: async () => Promise.all((await applications()).map(deleted)),
    FORM_VALUES_CHANGE: async () => {
      const form = await make.form();
      const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
      return [await make.formValues(await make.application(), [{ item_id: section?.items[0]?.id, value: 'Yes' }])];
    },
    CANDIDATE_CREATE: async () => [await candidate()],
    CANDIDATE_UPDATE: async () => [await changed(await candidate(), { title: 'Dr' })],
    CANDIDATE_DELETE: async () => [await deleted(await candidate())],
    CANDIDATE_ANONYMISE: async () => {
      const item = await candidate();
      expectStatus(200, await api.post(`${below(item.url)}/anonymise`));
      return [item];
    },
    VACANCY_CREATE: async () => [await make.vacancy()],
    VACANCY_UPDATE: async () => [await changed(await make.vacancy(), { location: 'Rome' })],
    VACANCY_DELETE: async () => [await deleted(await make.vacancy())],
    EVENT_CREATE: async () => [await make.event()],
    EVENT_UPDATE: async () => [await changed(await make.event(), { venue: 'Hall' })],
    EVENT_DELETE: async () => [await deleted(await make.event())],
    JOB_BOARD_CREATE: async () => [await make.jobBoard()],
    JOB_BOARD_UPDATE: async () => [await changed(await make.jobBoard(), { name: 'Other' })],
    JOB_BOARD_DELETE: async () => [await deleted(await make.jobBoard())],
    FORM_CREATE: async () => [await make.form()],
    FORM_UPDATE: async () => [await changed(await make.form(), { name: 'Other' })],
    FORM_DELETE: async () => [await deleted(await make.form())],
    COMMUNICATION_SENT: () =>
      communication((id) => api.database.transaction((transaction) => markCommunicationSent(transaction, id))),
    COMMUNICATION_FAILED: () =>
      communication((id) =>
        api.database.transaction((transaction) => markCommunicationFailed(transaction, id, 'rejected')),
      ),
    CREDENTIAL_CREATED: async () => [await make.credential()],
    CREDENTIAL_REVOKED: async () => [await deleted(await make.credential())],
    DOCUMENT_CREATE: async () => [await make.document()],
    DOCUMENT_UPDATE: async () => [await changed(await make.document(), { kind: 'other' })],
    DOCUMENT_DELETE: async () => [await deleted(await make.document())],
    POSTING_CREATE: async () => [await make.posting()],
    POSTING_UPDATE: async () => {
      const posting = await make.posting();
      const { vacancy, job_board } = posting as unknown as Record<'vacancy' | 'job_board', Item>;
      const body = { vacancy_id: vacancy.id, job_board_id: job_board.id, title: 'Changed' };
      expectStatus(200, await api.put(below(posting.url), body));
      return [posting];
    },
    POSTING_DELETE: async () => {
      const posting = await make.posting();
      expectStatus(204, await api.delete(below(posting.url)));
      return [posting];
    },
    STATE_CHANGE_APPLICATION: async () => [
      await moved(await make.application(), 'process_state', 'in_review'),
      await moved(await make.eventApplication(), 'process_state', 'confirmed'),
    ],
    STATE_CHANGE_OPPORTUNITY: async () => [
      await moved(await make.vacancy(), 'state', 'closed'),
      await moved(await make.event(), 'state', 'closed'),
    ],
    CANDIDATE_ANONYMISATION_DUE: async () => {
      const candidate = await make.candidate();
      await api.database.query(`UPDATE users SET created_dt = '2001-01-01', updated_dt = '2001-01-01' WHERE id = $1`, [
        candidate.id,
      ]);
      await setRetention(9_000);
      expect(await announceAnonymisations(api.database, settings)).toBe(1);
      await setRetention(null);
      return [candidate];
    },
    SUBSCRIPTION_DISABLED: async () => {
      const subscription = await make.subscription();
      expectStatus(200, await api.post(`${below(subscription.url)}/disable`));
      return [subscription];
    },
    // In operation, the notifier causes the following events. The tests make the same calls as the notifier.
    SUBSCRIPTION_RECOVERED: async () => {
      const subscription = await make.subscription();
      await api.database.transaction((transaction) =>
        recordSubscriptionEvents(transaction, 'SUBSCRIPTION_RECOVERED', [subscription.id], {
          recruiterId: null,
          settings,
        }),
      );
      return [subscription];
    },
    DELIVERY_EXHAUSTED: async () => {
      const subscription = await make.subscription();
      const delivery = await make.delivery({ subscription, status: 'exhausted' });
      const exhausted = {
        id: delivery.id,
        occurred: new Date(String(delivery['occurred_dt'])),
        subscriptionId: subscription.id,
      };
      await api.database.transaction((transaction) => recordExhausted(transaction, [exhausted], settings));
      return [delivery];
    },
  };
}
