import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type Answer, decode, encode, type Question } from 'dns-packet';

/**
 * The answer of a name server for a name: its addresses, or the name of which it is an alias. Null means that the name
 * does not exist. `silence` means no answer, and `failure` the answer SERVFAIL.
 */
export type Knowledge = readonly string[] | { readonly aliasOf: string } | null | 'silence' | 'failure';

const AUTHORITATIVE = 0x0400;
const NO_NAME = 3;
const SERVER_FAILURE = 2;

/** A name server on this machine. Its answers have a TTL of 0, so that each look-up causes a query. */
export class NameServer {
  /** The names in all address queries so far, in order. */
  readonly asked: string[] = [];
  /** Number of repeated address queries. Resolvers repeat a query when its answer is late. */
  repeats = 0;
  readonly #queries = new Set<string>();
  /** Returns the answer to an address query. It is called for each query, so a test can change the answers. */
  know: (name: string, type: 'A' | 'AAAA') => Knowledge = () => null;
  /** True to answer queries for the root, which every working resolver answers. */
  knowsRoot = true;
  delayMs = 0;
  /** True after `stop`. Delayed answers are not sent any more. */
  #isStopped = false;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (message, sender) => void this.receive(message, sender));
  }

  /**
   * Starts a name server.
   * @param port  defaults to a free port
   */
  static async start(port = 0): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** The address of the server, in the form `address:port` of the settings. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.socket.close();
    await once(this.socket, 'close');
  }

  private receive(message: Buffer, sender: RemoteInfo): void {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    this.noteRepeat(id, question);
    const reply = this.reply(question);
    if (reply === 'silence') return;
    const { flags, answers } = reply;
    const bytes = encode({ type: 'response', id, flags: AUTHORITATIVE | flags, questions, answers: [...answers] });
    const send = (): void => {
      if (!this.#isStopped) this.socket.send(bytes, sender.port, sender.address);
    };
    if (this.delayMs === 0) send();
    else setTimeout(send, this.delayMs).unref();
  }

  private noteRepeat(id: number, { name, type }: Question): void {
    const query = `${id} ${type} ${name.toLowerCase()}`;
    if (this.#queries.has(query) && (type === 'A' || type === 'AAAA')) this.repeats += 1;
    this.#queries.add(query);
  }

  private reply({ name, type }: Question): { readonly flags: number; readonly answers: readonly Answer[] } | 'silence' {
    if (type !== 'A' && type !== 'AAAA') {
      return this.knowsRoot
        ? { flags: 0, answers: [{ type: 'NS', name: '.', ttl: 0, data: 'ns.example' }] }
        : 'silence';
    }
    this.asked.push(name);
    const known = this.know(name, type);
    if (known === 'silence') return 'silence';
    if (known === 'failure') return { flags: SERVER_FAILURE, answers: [] };
    if (known === null) return { flags: NO_NAME, answers: [] };
    return { flags: 0, answers: this.answers(name, type, known) };
  }

  private answers(
    name: string,
    type: 'A' | 'AAAA',
    known: readonly string[] | { readonly aliasOf: string },
  ): readonly Answer[] {
    if ('aliasOf' in known) {
      const target = this.know(known.aliasOf, type);
      const alias: Answer = { type: 'CNAME', name, ttl: 0, data: known.aliasOf };
      return target === null || typeof target === 'string'
        ? [alias]
        : [alias, ...this.answers(known.aliasOf, type, target)];
    }
    const family = known.filter((address) => isIPv6(address) === (type === 'AAAA'));
    return family.map((data) => ({ type, name, ttl: 0, data }));
  }
}
