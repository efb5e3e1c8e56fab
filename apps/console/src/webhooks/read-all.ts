import { type Client, type ItemOf, items, type ListCall, type OptionsOf, type PageOf } from '@ats/client';

/** The largest page that the service allows. */
const PER_PAGE = 1_000;

/** The query of each request that reads a page of a whole list. The sample call of the view shows it, too. */
export const QUERY = { per_page: PER_PAGE } as const;

/** Reads all pages of a collection. */
export async function readAll<Call extends ListCall>(
  call: Call,
  options: { readonly client: Client; readonly signal: AbortSignal; readonly path?: Readonly<Record<string, number>> },
): Promise<ItemOf<PageOf<Call>>[]> {
  const list: ItemOf<PageOf<Call>>[] = [];
  for await (const item of items(call, { ...options, query: QUERY } as unknown as OptionsOf<Call>)) list.push(item);
  return list;
}
