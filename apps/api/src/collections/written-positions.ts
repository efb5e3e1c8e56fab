import { createHash, randomUUID } from 'node:crypto';
import { NOTED_MS, type Replica, type WalPosition } from '@ats/postgres';
import { type RedisLink } from '../config/redis-link.js';

/** Stores a position unless a higher one is stored, because concurrent commits may arrive out of order. */
const NOTE = `
local known = redis.call('GET', KEYS[1])
if not known or tonumber(known) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

export interface WrittenPositionsOptions {
  readonly link: RedisLink;
  readonly replica: Replica;
  /**
   * Names of the installation in Redis keys. Two processes of one installation that run at the same time always share
   * at least one of these names. Other installations have other names.
   */
  readonly installations: readonly string[];
}

/**
 * The WAL position of each credential's last write, which all API processes share through Redis. A process therefore
 * never reads a credential's pages from a replica that lacks its writes. Positions expire after the longest accepted
 * replica lag. See docs/adr/0019.
 */
export class WrittenPositions {
  readonly #prefixes: readonly string[];
  /**
   * Maps each prefix of keys to the random id that Redis has stored with the positions. A different id means that Redis
   * has lost the positions.
   */
  readonly #contents = new Map<string, string>();

  constructor(private readonly options: WrittenPositionsOptions) {
    this.#prefixes = options.installations.map((installation) => {
      const digest = createHash('sha256').update(installation).digest('base64url').slice(0, 16);
      // The braces in a Redis key are a hash tag: a cluster keeps keys that are read together on one node.
      return `ats:{written-${digest}}`;
    });
    // After a reconnection, Redis may lack the latest positions. Reads then go to the primary until the replica has
    // caught up.
    options.link.onConnected(() => options.replica.distrust());
  }

  /**
   * Stores the position of a commit. Callers must await the promise before they send the answer. The promise never
   * rejects.
   */
  async note(credentialId: number, position: WalPosition): Promise<void> {
    const { link, replica } = this.options;
    const noted = await Promise.all(
      this.#prefixes.map((prefix) =>
        link.ask((client) => client.eval(NOTE, 1, keyOf(prefix, credentialId), position, NOTED_MS)),
      ),
    );
    if (noted.includes(undefined)) await replica.unnoted.announce();
    else void replica.unnoted.withdraw();
  }

  /**
   * Returns the position of the credential's last write. Returns 0 when it has no recent write, and undefined when the
   * position is unknown.
   */
  async find(credentialId: number): Promise<WalPosition | undefined> {
    const found = await Promise.all(this.#prefixes.map((prefix) => this.#findBelow(prefix, credentialId)));
    const known = found.filter((position) => position !== undefined);
    if (known.length === found.length) return Math.max(...known);
    this.options.replica.distrust();
    return undefined;
  }

  async #findBelow(prefix: string, credentialId: number): Promise<WalPosition | undefined> {
    const { link } = this.options;
    const found = await link.ask((client) => client.mget(prefix, keyOf(prefix, credentialId)));
    const [content, position] = found ?? [];
    if (content && content === this.#contents.get(prefix)) return Number(position ?? 0);
    if (found && !content) link.tell((client) => client.set(prefix, randomUUID(), 'NX'));
    if (content) this.#contents.set(prefix, content);
    return undefined;
  }
}

const keyOf = (prefix: string, credentialId: number): string => `${prefix}:${credentialId}`;
