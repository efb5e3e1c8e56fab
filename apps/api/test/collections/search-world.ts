import { expect } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

export async function makeCandidates(make: Factories, things: Map<string, Item>): Promise<void> {
  const people: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    anna: {
      firstname: 'Anna',
      lastname: 'Johnson',
      email: 'anna@example.com',
      title: 'Dr',
      tags: ['java', 'Remote'],
      date_of_birth: '1990-05-17',
      Address: [
        { Label: 'home', City: 'Köln', CountryCode: 'DE' },
        { Label: 'term', City: 'Bonn' },
      ],
      Email: [{ Label: 'work', Address: 'anna@work.example.com' }],
    },
    bela: {
      firstname: 'Béla',
      lastname: 'johnson',
      email: 'bela@example.com',
      tags: ['java'],
      date_of_birth: '1990-05-18',
      Address: [{ Label: 'home', City: null }],
    },
    carl: {
      firstname: 'Carl',
      lastname: 'Müller',
      email: 'carl@example.com',
      title: '',
      source: '100% {of} a_b\\c, d',
    },
    dora: {
      firstname: 'Dora',
      lastname: 'ΠΑΠΑΔΑΣ',
      email: 'dora@example.com',
      Email: [{ Label: 'work', Address: 'dora@work.example.com' }],
    },
  };
  for (const [name, properties] of Object.entries(people)) things.set(name, await make.candidate(properties));
}

export async function makeApplications(api: Api, make: Factories, things: Map<string, Item>): Promise<void> {
  const engineer = await make.vacancy({ title: 'Engineer', department: 'R&D' });
  const pilot = await make.vacancy({ title: 'Pilot' });
  const posting = await make.posting({ vacancy_id: engineer.id, title: 'Engineer wanted' });
  const applications: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    first: {
      opportunity_id: engineer.id,
      user_id: things.get('anna')?.id,
      posting_id: posting.id,
      rating: 3,
      tags: ['a'],
    },
    second: { opportunity_id: pilot.id, user_id: things.get('bela')?.id, rating: 5 },
    third: { opportunity_id: engineer.id, user_id: things.get('carl')?.id },
  };
  for (const [name, properties] of Object.entries(applications)) things.set(name, await make.application(properties));
  await api.put(`/applications/${things.get('second')?.id}/process_state`, { state: 'in_review' });
  await api.database.query(
    `UPDATE applications SET score = 12.50, submitted_dt = '2026-03-01T23:30:00.500Z' WHERE id = $1`,
    [things.get('first')?.id],
  );
  await api.database.query(`UPDATE applications SET submitted_dt = '2026-03-02T00:00:00Z' WHERE id = $1`, [
    things.get('second')?.id,
  ]);
  await api.database.query(`UPDATE applications SET submitted_dt = NULL WHERE id = $1`, [things.get('third')?.id]);
}

/**
 * Returns the names of the items that a query finds, or the violations of the query as text. In the parameters,
 * `%name%` stands for the id of an object.
 */
export async function find(
  api: Api,
  things: Map<string, Item>,
  collection: string,
  parameters: string,
): Promise<string> {
  const query = new URLSearchParams();
  for (const part of parameters.split(' & ')) {
    const [name = '', ...value] = part.split(': ');
    query.append(
      name,
      value.join(': ').replace(/%(\w+)%/g, (_, thing: string) => String(things.get(thing)?.id)),
    );
  }
  const answer = await api.get(`/${collection}?${query.toString()}`);
  if (answer.status !== 200)
    return `${answer.status} ${(answer.problem.errors ?? []).map(({ parameter, info }) => `${parameter ?? ''}: ${info ?? ''}`).join(' | ')}`;
  expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
  const names = new Map([...things].map(([name, { url }]) => [url, name]));
  return answer.items.map(({ url }) => names.get(url) ?? url).join(' ');
}
