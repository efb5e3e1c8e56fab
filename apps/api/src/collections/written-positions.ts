import { createHash, randomUUID } from 'node:crypto';
import { NOTED_MS, type Replica, type WalPosition } from '@ats/postgres';
import { type RedisLink } from '../config/redis-link.js';

/** Several answers at the same time may arrive in another order than their commits. */
const NOTE = `
local known = redis.call('GET', KEYS[1])
if not known or tonumber(known) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

export interface WrittenPositionsOptions {
  readonly link: RedisLink;
  readonly replica: Replica;
  /** The same in all processes of an installation, and in no other: it goes into names of keys. */
  readonly installation: string;
}

/**
 * Up to where each credential has written, told by each process of the API to all others, so that none of them shows it a replica
 * that has not come so far. Kept in Redis for as long as a replica may be behind. See docs/adr/0019.
 */
export class WrittenPositions {
  readonly #prefix: string;
  /** The content of the server that we know: it is another one when what was noted is lost. */
  #content: string | undefined;

  constructor(private readonly options: WrittenPositionsOptions) {
    const digest = createHash('sha256').update(options.installation).digest('base64url').slice(0, 16);
    // In braces: keys that are read together are in one part of a cluster.
    this.#prefix = `ats:{written-${digest}}`;
    // Whatever was noted right before the connection was lost may be lost with the server.
    options.link.onConnected(() => options.replica.distrust());
  }

  /** To be awaited between a commit and its answer. It does not reject. */
  async note(credentialId: number, position: WalPosition): Promise<void> {
    const { link, replica } = this.options;
    const noted = await link.ask((client) => client.eval(NOTE, 1, this.#keyOf(credentialId), position, NOTED_MS));
    if (noted === undefined) await replica.unnoted.announce();
    else void replica.unnoted.withdraw();
  }

  /** @returns 0 when it has not written for a while; undefined when that cannot be told */
  async find(credentialId: number): Promise<WalPosition | undefined> {
    const { link, replica } = this.options;
    const found = await link.ask((client) => client.mget(this.#prefix, this.#keyOf(credentialId)));
    const [content, position] = found ?? [];
    if (content && content === this.#content) return Number(position ?? 0);
    if (found && !content) link.tell((client) => client.set(this.#prefix, randomUUID(), 'NX'));
    if (content) this.#content = content;
    replica.distrust();
    return undefined;
  }

  #keyOf = (credentialId: number): string => `${this.#prefix}:${credentialId}`;
}
