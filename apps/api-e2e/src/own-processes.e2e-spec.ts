import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Item, applyTo, subscribe } from './support/api-client.js';
import { blocksOf } from './support/guide.js';
import { bodyOf, Receiver } from './support/receiver.js';
import { Service } from './support/service.js';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  service = await Service.start();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

it('sends messages about states and processes that were added while the apps run', async () => {
  const { client, database } = service;
  const open = async (department: string): Promise<Item> => {
    const { id } = await client.post('/vacancies', { title: 'Gardener', department });
    return client.put(`/vacancies/${id}/state`, { state: 'open' });
  };
  const vacancies = [await open('Garden'), await open('Board')] as const;
  const [state, process] = blocksOf('docs/reference/states.md', 'sql');
  for (const { code } of [state, process].flatMap((block) => block ?? [])) await database.query(code);

  const expression = 'application.main_process_state.state.state IN ("reference_check", "shortlisted")';
  await subscribe(client, { type: 'STATE_CHANGE_APPLICATION', expression }, receiver.url);
  const [checked, listed] = [await applyTo(client, vacancies[0]), await applyTo(client, vacancies[1])];
  const move = (item: Item, to: string): Promise<Item> =>
    client.put(`/applications/${item.id}/process_state`, { state: to });
  for (const to of ['interview', 'reference_check', 'offer_made']) await move(checked, to);
  for (const to of ['shortlisted', 'placed']) await move(listed, to);

  const messages = await receiver.receiveDistinct(2);
  expect(messages.map((message) => bodyOf(message).details.id).sort((one, other) => one - other)).toEqual([
    checked.id,
    listed.id,
  ]);
});
