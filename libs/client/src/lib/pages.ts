import { type Client } from '../generated/client/index.js';

interface ListOptions {
  readonly client: Client;
  readonly query?: { readonly format?: string };
  readonly headers?: unknown;
  readonly signal?: AbortSignal | null;
}

/** A call of this package that lists a collection. */
export type ListCall = (options: never) => Promise<{ readonly data: unknown; readonly response: Response }>;

/** The options of a call. */
export type OptionsOf<Call extends ListCall> = Parameters<Call>[0];

/** One page of a collection, as the body of an answer. */
export type PageOf<Call extends ListCall> = NonNullable<Awaited<ReturnType<Call>>['data']>;

/** An item of a page. Most pages are arrays. Pages of the history are objects with `items`. */
export type ItemOf<Page> = Page extends readonly (infer Item)[]
  ? Item
  : Page extends { items: readonly (infer Item)[] }
    ? Item
    : never;

/** Returns the path and the query of the link `rel="next"` (RFC 8288), or undefined on the last page. */
function nextPage(response: Response, baseUrl: string): string | undefined {
  const address = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  if (address === undefined) return undefined;
  // A link may name the origin of a server behind a proxy. Only the path of such a link is used, because the token must
  // be sent only to the client's own origin.
  return address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : /\/api\/v1\/.*/.exec(address)?.[0];
}

/**
 * Reads the pages of a collection one after the other. It follows the `next` links of the answers.
 * @param call  a call that lists a collection, such as `candidatesList`
 * @throws {TypeError} when `query.format` asks for an export, which has no pages
 */
export async function* pages<Call extends ListCall>(
  call: Call,
  options: OptionsOf<Call>,
): AsyncGenerator<PageOf<Call>, void, undefined> {
  const { client, headers, query, signal } = options as ListOptions;
  if (query?.format && query.format !== 'json')
    throw new TypeError(
      `An export has no pages. Leave out format: '${query.format}', or read it with the call itself.`,
    );
  let answer = await call(options);
  for (;;) {
    yield answer.data as PageOf<Call>;
    const url = nextPage(answer.response, client.getConfig().baseUrl ?? '');
    if (url === undefined) return;
    const sent = headers as Record<string, string> | undefined;
    answer = await client.get<unknown, unknown, true>({ url, headers: sent, signal, throwOnError: true });
  }
}

/** Reads the items of all pages of a collection, one after the other. */
export async function* items<Call extends ListCall>(
  call: Call,
  options: OptionsOf<Call>,
): AsyncGenerator<ItemOf<PageOf<Call>>, void, undefined> {
  for await (const page of pages(call, options)) {
    const list = Array.isArray(page) ? page : (page as unknown as { readonly items: unknown }).items;
    yield* list as ItemOf<PageOf<Call>>[];
  }
}
