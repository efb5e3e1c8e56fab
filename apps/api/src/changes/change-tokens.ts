import { type FeedPosition } from '@ats/domain';
import { CursorCodec } from '@ats/pagination';
import { Injectable } from '@nestjs/common';

/** A position in the feed of some resources. */
export interface Bookmark extends FeedPosition {
  /** See `FeedState`. */
  readonly epoch: string;
  /** Names of the resources that the first request of the chain asked for. */
  readonly resources: readonly string[];
}

/** Tells tokens of the feed from the cursors of collections. */
const FINGERPRINT = 'changes/1';

/**
 * Makes and reads the tokens of the changes feed. A token contains the resources of its chain. A chain can therefore
 * never gain a resource whose earlier changes it lacks. Source: docs/reference/changes.md, "Tokens".
 */
@Injectable()
export class ChangeTokens {
  constructor(private readonly codec: CursorCodec) {}

  seal({ epoch, position, since, resources }: Bookmark): string {
    const keys = [epoch, String(position), since?.toISOString() ?? null, ...resources];
    const text = this.codec.seal({ keys }, FINGERPRINT);
    if (text === undefined) throw new Error('the names of all resources do not fit into a token');
    return text;
  }

  /** @returns undefined for any text that is not a token of the feed */
  open(text: string): Bookmark | undefined {
    const opened = this.codec.open(text, FINGERPRINT);
    if (opened.violation) return undefined;
    const [epoch, position, since, ...resources] = opened.keys;
    return {
      epoch: epoch ?? '',
      position: Number(position),
      since: typeof since === 'string' ? new Date(since) : undefined,
      resources: resources.map(String),
    };
  }
}
