import { type FeedStart } from '@ats/domain';
import { CursorCodec } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A position in the feed of some resources. */
export interface Bookmark extends FeedStart {
  /** See `FeedState`. */
  readonly epoch: string;
  /** Names of the resources that the first request of the chain asked for. */
  readonly resources: readonly string[];
}

/** Tells tokens of the feed from the cursors of collections. */
const FINGERPRINT = 'changes/1';
const MAX_SEALED = 1_000;

/**
 * Makes and reads the tokens of the changes feed. A token contains the resources of its chain. A chain can therefore
 * never gain a resource whose earlier changes it lacks. Source: docs/reference/changes.md, "Tokens".
 */
@Injectable()
export class ChangeTokens {
  /** The streams of one chain need the same tokens. */
  readonly #sealed = new LRUCache<string, string>({ max: MAX_SEALED });

  constructor(private readonly codec: CursorCodec) {}

  seal({ epoch, position, mark, since, resources }: Bookmark): string {
    const place = mark === undefined ? String(position) : `${position} ${mark}`;
    const keys = [epoch, place, since?.toISOString() ?? null, ...resources];
    const name = keys.join();
    const known = this.#sealed.get(name);
    if (known !== undefined) return known;
    const text = this.codec.seal({ keys }, FINGERPRINT);
    if (text === undefined) throw new Error('the names of all resources do not fit into a token');
    this.#sealed.set(name, text);
    return text;
  }

  /** @returns undefined for any text that is not a token of the feed */
  open(text: string): Bookmark | undefined {
    const opened = this.codec.open(text, FINGERPRINT);
    if (opened.violation) return undefined;
    const [epoch, place, since, ...resources] = opened.keys;
    const [position, mark] = (place ?? '').split(' ');
    return {
      epoch: epoch ?? '',
      position: Number(position),
      mark,
      since: typeof since === 'string' ? new Date(since) : undefined,
      resources: resources.map(String),
    };
  }
}
