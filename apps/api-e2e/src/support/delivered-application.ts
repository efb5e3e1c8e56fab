import { type ApiClient, applyTo, type Item, openVacancy } from './api-client.js';
import { waitUntil } from './wait-until.js';

/** Subscribes a URL to new applications, makes an application, and waits until its message is delivered. */
export async function deliverApplication(client: ApiClient, url: string) {
  const vacancy = await openVacancy(client);
  const topic = await client.post('/notification_topics', {
    name: 'Applications',
    type: 'APPLICATION_CREATE',
    expression: 'application.id > 0',
  });
  const path = `/notification_topics/${topic.id}/subscriptions`;
  const subscription = await client.post<Item & { endpoint: Item }>(path, { destination_url: url });
  const application = await applyTo(client, vacancy);
  await waitUntil('the message is delivered', 60_000, async () => {
    const [delivery] = await client.get<Item[]>(`${path}/${subscription.id}/deliveries`);
    return delivery?.['status'] === 'delivered';
  });
  return { application, topic, endpoint: subscription.endpoint };
}
