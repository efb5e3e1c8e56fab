// @ts-check
import { createServer } from 'node:http';
import { once } from 'node:events';
import { PlainError, root } from '../workspace.mjs';
import { createCall } from '../services/api-call.mjs';
import { sleep } from '../services/processes.mjs';

/**
 * The parts of an OpenAPI document that this file reads.
 * @typedef {{ required?: boolean, $ref?: string }} Parameter
 * @typedef {{
 *   paths: Record<string, { get?: { parameters?: Parameter[] } }>,
 *   components: { parameters?: Record<string, Parameter> },
 * }} OpenApiDocument
 */

const deliveredWithinMs = 30_000;
const clients = 4;
/** A pause that allows dozens of requests in each phase and does not keep a small machine busy. */
const pauseMs = 20;

/**
 * Simulates clients that create, move and read applications and receive notifications of the moves. Every request must
 * succeed, and every move must be notified exactly once.
 */
export class Traffic {
  /** API processes that get the requests in turn. @type {readonly import('./app.mjs').App[]} */
  #apis = [];
  #token;
  /** Maps each request in progress to its API process. @type {Map<object, import('./app.mjs').App>} */
  #pending = new Map();
  #turn = 0;
  #isOver = false;
  #running = Promise.resolve(/** @type {unknown} */ (undefined));
  /** @type {string[]} */
  #faults = [];
  /** Ids of the moved applications. @type {number[]} */
  #moved = [];
  /** Maps an application id to the ids of its messages. @type {Map<number, Set<string>>} */
  #told = new Map();
  #signingKey = '';
  /** @type {import('node:http').Server | undefined} */
  #receiver;
  requests = 0;
  slowestMs = 0;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
  }

  /** Sends all further requests to these API processes. @param {readonly import('./app.mjs').App[]} apis */
  sendTo(apis) {
    this.#apis = apis;
  }

  /**
   * Waits until API processes that get no further requests have answered the running ones. A load balancer does the
   * same before it stops a process.
   */
  async hasMoved() {
    while ([...this.#pending.values()].some((api) => !this.#apis.includes(api))) await sleep(pauseMs);
  }

  async start() {
    this.#receiver = createServer((request, response) => void this.#receive(request, response)).listen(0, '127.0.0.1');
    await once(this.#receiver, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#receiver.address());
    const topic = await this.#request('POST', '/notification_topics', {
      type: 'STATE_CHANGE_APPLICATION',
      name: 'Moves',
    });
    const subscription = await this.#request('POST', `/notification_topics/${topic.id}/subscriptions`, {
      destination_url: `http://127.0.0.1:${port}/`,
    });
    this.#signingKey = subscription.signing_key;
    const vacancy = await this.#request('POST', '/vacancies', { title: 'Gardener' });
    await this.#request('PUT', `/vacancies/${vacancy.id}/state`, { state: 'open' });
    this.#running = Promise.all(Array.from({ length: clients }, (_, client) => this.#work(client, vacancy.id)));
  }

  /**
   * Waits until `requests` further requests have been answered.
   * @param {number} requests
   */
  async goOn(requests) {
    const until = this.requests + requests;
    while (this.requests < until && this.#faults.length === 0) await sleep(pauseMs);
    this.#check();
  }

  /**
   * Stops the traffic and waits for messages that have not arrived yet.
   * @returns the number of moves
   * @throws {PlainError} with failed requests and missing messages
   */
  async end() {
    this.#isOver = true;
    await this.#running;
    const deadline = Date.now() + deliveredWithinMs;
    const missing = () => this.#moved.filter((id) => !this.#told.has(id));
    while (missing().length > 0 && Date.now() < deadline) await sleep(pauseMs);
    if (missing().length > 0) this.#faults.push(`${missing().length} of ${this.#moved.length} moves were not notified`);
    for (const [id, messages] of this.#told)
      if (messages.size > 1)
        this.#faults.push(`the move of application ${id} was notified by ${messages.size} messages`);
    this.close();
    this.#check();
    return this.#moved.length;
  }

  close() {
    this.#isOver = true;
    this.#receiver?.closeAllConnections();
    this.#receiver?.close();
  }

  #check() {
    if (this.#faults.length > 0) throw new PlainError(this.#faults.slice(0, 10).join('\n'));
  }

  /** @param {number} client @param {number} opportunity */
  async #work(client, opportunity) {
    try {
      for (let serial = 0; !this.#isOver; serial++) {
        const candidate = { firstname: 'Robin', lastname: 'Example', email: `robin.${client}.${serial}@example.com` };
        const { id } = await this.#request('POST', '/applications', { opportunity_id: opportunity, candidate });
        await this.#request('PUT', `/applications/${id}/process_state`, { state: 'interview' });
        this.#moved.push(id);
        const page = await this.#request('GET', `/applications?search=/id=${id}&per_page=1`);
        if (page[0]?.id !== id) this.#faults.push(`application ${id} was not found right after it was created`);
        await this.#request('GET', `/applications/${id}/history`);
        await sleep(pauseMs);
      }
    } catch (error) {
      this.#faults.push(String(error));
    }
  }

  /**
   * Requests all paths of an API's own OpenAPI document that need no id. Returns their number.
   * @param {readonly import('./app.mjs').App[]} release
   */
  async readEverything([api]) {
    if (!api) throw new Error('the given release runs no API process');
    this.sendTo([api]);
    const reference = /** @type {OpenApiDocument} */ (await (await fetch(`${api.url}/openapi.json`)).json());
    const isRequired = (/** @type {Parameter} */ { required, $ref = '' }) =>
      required ?? reference.components.parameters?.[$ref.replace('#/components/parameters/', '')]?.required;
    const paths = Object.entries(reference.paths).filter(
      ([path, { get }]) =>
        get && path.startsWith('/api/v1/') && !path.includes('{') && !get.parameters?.some(isRequired),
    );
    for (const [path] of paths) await this.#request('GET', path.slice('/api/v1'.length));
    return paths.length;
  }

  /** @type {import('../services/api-call.mjs').Call} */
  #request = async (method, path, body) => {
    const api = this.#apis[this.#turn++ % this.#apis.length];
    if (!api) throw new Error('no API process is running, so no request can be sent');
    const [startedAt, request] = [performance.now(), {}];
    this.#pending.set(request, api);
    try {
      return await createCall({ url: api.url, token: this.#token })(method, path, body);
    } finally {
      this.#pending.delete(request);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      this.requests++;
    }
  };

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #receive(request, response) {
    const { verify } = await import(`${root}/libs/webhook-signing/dist/index.js`);
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      if (this.#signingKey)
        verify({ body, headers: request.headers, keys: [this.#signingKey], toleranceSeconds: 300, now: new Date() });
      const { message_id, details } = JSON.parse(body);
      this.#told.set(details.id, (this.#told.get(details.id) ?? new Set()).add(message_id));
    } catch (error) {
      this.#faults.push(`invalid message: ${error}`);
    }
    response.writeHead(204).end();
  }
}
