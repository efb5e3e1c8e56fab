import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions, type Api } from '../support/api-harness.js';
import { below, expectStatus, type Factories } from '../support/factories.js';

export const TEXT = { subject: 'Hello', body: '<p>Text</p>' };
export const commsOf = ({ url }: Item): string => `${below(url)}/comms`;
export const send = (api: Api, application: Item, body: object, options?: RequestOptions): Promise<Answer> =>
  api.post(commsOf(application), body, options);
export const idOf = (reference: unknown): number => (reference as Item).id;
export const mailsOf = (api: Api, { id }: Item): Promise<object[]> =>
  api.database.query('SELECT status, attempts FROM outgoing_mails WHERE communication_id = $1', [id]);
export const historyOf = async (api: Api, { url }: Item): Promise<readonly object[]> =>
  (
    (await api.get(`${below(url)}/history`)).json as { readonly items: readonly { readonly type: string }[] }
  ).items.filter(({ type }) => type === 'comm_sent');
export const readHtml = async (api: Api, { id }: Item): Promise<unknown> =>
  (await api.get(`/communications/${id}?rich_txt_fmt=html`)).item['body'];

/**
 * Sends a message from a new template to the candidate of an application.
 * @returns the texts of the message
 */
export async function filledIn(
  api: Api,
  make: Factories,
  application: Item,
  template: { readonly subject?: string; readonly body?: string },
): Promise<{ readonly subject: unknown; readonly body: unknown }> {
  const { id } = await make.messageTemplate({ body: 'Body', ...template });
  const { item } = expectStatus(201, await send(api, application, { template_id: id }));
  return { subject: item['subject'], body: await readHtml(api, item) };
}
