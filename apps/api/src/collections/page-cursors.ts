import { type Resource } from '@ats/domain';
import { type Cursor, CursorCodec, type ParameterViolation } from '@ats/pagination';
import { type SortKey } from '@ats/search-query';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../request/request-context.js';

/** The query that a cursor belongs to. */
export interface PageQuery {
  readonly resource: Resource;
  readonly parameters: URLSearchParams;
  readonly context: Pick<RequestContext, 'settings'>;
  /** Id of the owner of the items, see `CollectionOptions`. */
  readonly ownerId?: number | undefined;
  /** Text that identifies the conditions outside the parameters, see `CollectionFilter`. */
  readonly cursorScope?: string | undefined;
  /** The sort keys that the page used. They may come from a stored search, which can change between two pages. */
  readonly order: readonly SortKey[];
}

/**
 * Makes and reads the cursors of `next` links. A cursor is valid for one page of one query only.
 * Source: docs/reference/paging.md, "Cursors".
 */
@Injectable()
export class PageCursors {
  constructor(private readonly codec: CursorCodec) {}

  /** Makes the cursor of a page. @returns undefined when the sort keys are too long for a cursor */
  seal(keys: Cursor['keys'], query: PageQuery, page: number): string | undefined {
    return this.codec.seal({ keys }, fingerprintOf(query, page));
  }

  /**
   * Reads the cursor of a page.
   * @returns the sort keys of the item before the page, or the violation of the cursor parameter
   */
  open(
    text: string,
    query: PageQuery,
    page: number,
  ): { readonly keys: Cursor['keys'] } | { readonly violation: ParameterViolation } {
    const opened = this.codec.open(text, fingerprintOf(query, page));
    return opened.violation ? { violation: opened.violation } : { keys: opened.keys };
  }
}

/**
 * Returns a text with all values that determine the items of a page and their order. One of them is the language,
 * because localised texts are sorted by language.
 */
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
