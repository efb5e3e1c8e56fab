import { sleep } from '../../tools/services/processes.mjs';
import { Client } from './client.mjs';

const CLIENTS = 4;
const PAUSE_MS = 10;
const PATH = '/api/v1/vacancy_applications';
const USERS = 2_000;
const VACANCIES = 100;

/**
 * Clients that write concurrently. Each client sends a request every 10 ms, or later when the previous one is answered
 * later. It creates an application and changes it, in turn.
 */
export class Writers {
  #targets = new Map();
  #made = [];
  #places;
  #running;
  #isStopping = false;

  /**
   * @param {object} options
   * @param {string} options.token
   * @param {Generator<{ user_id: number, opportunity_id: number }>} options.places each
   *   candidate and vacancy of a new application
   * @param {import('./count-ledger.mjs').CountLedger} options.ledger
   */
  constructor({ token, places, ledger }) {
    this.token = token;
    this.ledger = ledger;
    this.count = 0;
    this.#places = places;
  }

  /** Directs all further writes to this server. @param {string} origin */
  turnTo(origin) {
    if (!this.#targets.has(origin))
      this.#targets.set(origin, new Client(origin, { token: this.token, connections: CLIENTS }));
    this.target = this.#targets.get(origin);
  }

  start() {
    this.#running = Array.from({ length: CLIENTS }, () => this.#write());
  }

  async stop() {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Deletes the created applications. */
  async cleanUp() {
    const remove = async () => {
      for (let id = this.#made.pop(); id !== undefined; id = this.#made.pop())
        await this.target.send('DELETE', `${PATH}/${id}`);
    };
    await Promise.all(Array.from({ length: CLIENTS }, remove));
    for (const target of this.#targets.values()) await target.close();
  }

  async #write() {
    while (!this.#isStopping) {
      const place = this.#places.next().value;
      if (place === undefined)
        throw new Error('all pairs of candidate and vacancy have an application, so no more can be created');
      const id = await this.#paced(() => this.#add(place));
      await this.#paced(() => this.target.send('PUT', `${PATH}/${id}`, { ...place, rating: 1 + (id % 5) }));
    }
  }

  async #paced(write) {
    const [result] = await Promise.all([write(), sleep(PAUSE_MS)]);
    this.count++;
    return result;
  }

  async #add(place) {
    this.ledger.send();
    const { text } = await this.target.send('POST', PATH, place);
    this.ledger.answer(performance.now());
    const { id } = JSON.parse(text);
    this.#made.push(id);
    return id;
  }
}

/** Finds pairs of open vacancies and candidates without applications. */
export async function findPlaces({ query }) {
  const users = await query(
    `SELECT id FROM users u WHERE type = 'candidate' AND status = 'active' AND NOT EXISTS (SELECT FROM applications a WHERE a.user_id = u.id) ORDER BY id LIMIT ${USERS}`,
  );
  const vacancies = await query(
    `SELECT o.id FROM opportunities o JOIN states s ON s.id = o.state_id WHERE o.kind = 'vacancy' AND s.state = 'open' ORDER BY o.id LIMIT ${VACANCIES}`,
  );
  return (function* () {
    for (const user of users)
      for (const vacancy of vacancies) yield { user_id: Number(user.id), opportunity_id: Number(vacancy.id) };
  })();
}
