// @ts-check

/**
 * The states of the processes in the database.
 * @typedef {object} State
 * @property {number} id
 * @property {string} process
 * @property {string} state
 * @property {string | null} outcome
 * @property {boolean} is_live
 */

export class States {
  #states;
  #processes;

  /** @param {readonly State[]} states @param {readonly { id: number, key: string }[]} processes */
  constructor(states, processes) {
    this.#states = new Map(states.map((state) => [`${state.process}/${state.state}`, state]));
    this.#processes = new Map(processes.map(({ key, id }) => [key, id]));
  }

  /** @param {import('pg').Client} client */
  static async read(client) {
    const states = await client.query(
      'SELECT s.id::integer, p.key AS process, s.state, s.outcome, s.is_live FROM states s JOIN processes p ON p.id = s.process_id',
    );
    const processes = await client.query('SELECT id::integer, key FROM processes');
    return new States(states.rows, processes.rows);
  }

  /** @param {string} process @param {string} state */
  get(process, state) {
    const found = this.#states.get(`${process}/${state}`);
    if (!found) throw new Error(`the process ${process} has no state ${state}`);
    return found;
  }

  /** @param {string} process @param {string} state */
  id(process, state) {
    return this.get(process, state).id;
  }

  /** @param {string} key */
  process(key) {
    const id = this.#processes.get(key);
    if (id === undefined) throw new Error(`there is no process ${key}`);
    return id;
  }
}
