import { type FeedPosition, type FeedStart } from '@ats/domain';
import { CursorCodec } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A position in the changes feed, and the resources that its chain of tokens reads. */
export interface Bookmark extends FeedStart {
  /** Identifies the history of the database. A restored database has another epoch, see `FeedState`. */
  readonly epoch: string;
  /** Names of the resources that every request of the chain reads. */
  readonly resources: readonly string[];
}

/** Sealed into each token, so that the cursor of a collection is not accepted as a token of the feed. */
const FINGERPRINT = 'changes/1';
const MAX_SEALED = 1_000;

/**
 * Makes and reads the tokens of the changes feed. A token contains the resources of its chain. A chain can therefore
 * never gain a resource whose earlier changes it lacks. Source: docs/reference/changes.md, "Tokens".
 */
@Injectable()
export class ChangeTokens {
  /**
   * Maps the contents of a token to the sealed token. Streams of the same chain need equal tokens, so a token is sealed
   * once and kept.
   */
  readonly #sealed = new LRUCache<string, string>({ max: MAX_SEALED });

  constructor(private readonly codec: CursorCodec) {}

  seal({ epoch, position, mark, since, resources }: Bookmark): string {
    const keys = [epoch, placeOf(position, mark), since?.toISOString() ?? null, ...resources];
    const name = keys.join();
    const known = this.#sealed.get(name);
    if (known !== undefined) return known;
    const text = this.codec.seal({ keys }, FINGERPRINT);
    if (text === undefined)
      throw new Error('a token of the changes feed cannot hold the names of all resources: there are too many');
    this.#sealed.set(name, text);
    return text;
  }

  /** Reads a token. Returns undefined for any text that is not a token of the feed. */
  open(text: string): Bookmark | undefined {
    const opened = this.codec.open(text, FINGERPRINT);
    if (opened.violation) return undefined;
    const [epoch, place, since, ...resources] = opened.keys;
    return {
      epoch: epoch ?? '',
      ...placeIn(String(place)),
      since: typeof since === 'string' ? new Date(since) : undefined,
      resources: resources.map(String),
    };
  }
}

/**
 * Separates the position from its mark in a token, see `FeedPosition`. The previous release reads both together as one
 * decimal number. The twenty zeros make the mark too small to change the value of this number.
 */
const SEPARATOR = `.${'0'.repeat(20)}`;
/** Number of decimal digits of the part of a UUID that a mark contains. */
const UUID_DIGITS = 10;

/** Writes a position and its mark as decimal digits, see `FeedPosition`. */
function placeOf(position: number, mark: string | undefined): string {
  if (mark === undefined) return String(position);
  const [ms = '', uuid = ''] = mark.split('-');
  return `${position}${SEPARATOR}${ms}${String(Number.parseInt(uuid, 16)).padStart(UUID_DIGITS, '0')}`;
}

function placeIn(place: string): FeedPosition {
  const [position = '', digits] = place.split(SEPARATOR);
  if (digits === undefined) return { position: Number(position), mark: undefined };
  const uuid = Number(digits.slice(-UUID_DIGITS)).toString(16).padStart(8, '0');
  return { position: Number(position), mark: `${digits.slice(0, -UUID_DIGITS)}-${uuid}` };
}
