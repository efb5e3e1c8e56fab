import { type Client } from '../generated/client/index.js';
import { type Changes } from '../generated/types.gen.js';

/** One entry of the changes feed: a change of one item. */
export type Change = Changes['items'][number];

/** Says which part of the changes feed to read, and with which client. */
export interface ChangesOptions {
  readonly client: Client;
  /** The position to start from: `next` of an earlier batch, `now`, or a time with a time zone. Defaults to `now`. */
  readonly since?: string;
  /** Names of resources whose changes are read. Defaults to all that the credential may read. */
  readonly resources?: readonly Change['resource'][];
  /** Maximum number of changes in a batch, from 1 to 10,000. */
  readonly limit?: number;
  /** False to end the iteration when all stored changes are read. By default it then waits for further changes. */
  readonly follow?: boolean;
  /** Ends the iteration when it is aborted, even while the iteration waits. */
  readonly signal?: AbortSignal;
}

/** Number of seconds that one request waits for changes. */
const WAIT_SECONDS = 55;

/**
 * Follows the changes of all items, in the order of their commits. Store `next` together with the effects of `items`,
 * and continue from it after a restart. No change is then lost. A batch without items only moves the token.
 * @throws {ApiError} with the status 410 when the service no longer stores the changes after `since`. Start again
 *   with `now`
 */
export async function* changes(options: ChangesOptions): AsyncGenerator<Changes, void, undefined> {
  const { client, resources, limit, follow = true, signal } = options;
  let since = options.since ?? 'now';
  for (;;) {
    const wait = follow && since !== 'now' ? WAIT_SECONDS : undefined;
    const { data } = await client.get<{ 200: Changes }, unknown, true>({
      url: '/api/v1/changes',
      query: { since, limit, wait, resources: resources?.join(',') },
      signal,
      throwOnError: true,
    });
    yield data;
    if (!follow && !data.has_more) return;
    since = data.next;
  }
}
