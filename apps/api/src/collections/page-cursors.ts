import { type Resource } from '@ats/domain';
import { type Cursor, CursorCodec, type ParameterFault } from '@ats/pagination';
import { type SortKey } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../request/request-context.js';

/** Whose page a cursor continues. */
export interface PageQuery {
  readonly resource: Resource;
  readonly parameters: URLSearchParams;
  readonly context: Pick<RequestContext, 'settings'>;
  /** Of a collection that lives below an item of another. */
  readonly ownerId?: number | undefined;
  /** What narrows the collection beside the parameters. */
  readonly cursorScope?: string | undefined;
  /** As it is in the end, set by the request or by a stored search, which can have changed since. */
  readonly order: readonly SortKey[];
}

/** The cursors of `next`: each opens for its own page of its own query alone. CONTRACT.md 4. */
@Injectable()
export class PageCursors {
  constructor(private readonly codec: CursorCodec) {}

  /** For the link to a page. */
  seal(keys: Cursor['keys'], query: PageQuery, page: number): string | undefined {
    return this.codec.seal({ keys }, fingerprintOf(query, page));
  }

  /** @returns the sort keys of the item before the page, or what is wrong with the text */
  open(
    text: string,
    query: PageQuery,
    page: number,
  ): { readonly keys: Cursor['keys'] } | { readonly fault: ParameterFault } {
    const opened = this.codec.open(text, fingerprintOf(query, page));
    return opened.fault ? { fault: opened.fault } : { keys: opened.keys };
  }
}

/** All that decides which items a page has and in which order: localised texts are ordered by language. */
function fingerprintOf(
  { resource, parameters, context, ownerId, cursorScope, order }: PageQuery,
  page: number,
): string {
  const others = [...parameters].filter(([name]) => name !== 'page' && name !== 'after');
  const keys = order.map(({ path, isDescending }) => [
    path.datapath,
    path.end.kind === 'attribute' ? path.end.type : null,
    isDescending,
  ]);
  return JSON.stringify([
    resource.name,
    ownerId ?? null,
    cursorScope ?? null,
    context.settings.language,
    page,
    others,
    keys,
  ]);
}
