import { type Item } from './answer.js';
import { type Factories } from './factories.js';

export type Body = Readonly<Record<string, unknown>>;

/** The parameters and the body of one call of an operation. */
export interface Call {
  /** Values of the path parameters. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: string;
  readonly body?: Body;
}

/**
 * Creates the items that a call of an operation needs, and returns the call. `example` is the example body in the
 * OpenAPI document.
 */
export type MakeCall = (make: Factories, example: Body) => Promise<Call>;

let lastNumber = 0;
/** Returns a new text at each call. Used for values that must be unique, because examples are used several times. */
export const unique = (): string => `example-${++lastNumber}`;
export const email = (): string => `${unique()}@example.com`;
export const PAGE = 'page=1&per_page=2';
/** The body of a `POST /<collection>/query`. */
export const PAGE_BODY: Body = { page: 1, per_page: 2 };
/**
 * True for an operation that changes nothing.
 * @param name  method and path
 */
export const isRead = (name: string): boolean => name.startsWith('GET ') || name.endsWith('/query');
export const idOf = async (item: Promise<Item>): Promise<Call> => ({ path: { id: (await item).id } });

export interface CollectionCalls {
  readonly item: (make: Factories) => Promise<Item>;
  /**
   * Makes the example valid for this database, in which ids must exist and some texts must be unique. By default, the
   * example is sent unchanged.
   */
  readonly body?: (make: Factories, example: Body) => Promise<Body> | Body;
  /** The writing methods that the collection has. Defaults to all. */
  readonly verbs?: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE')[];
}

export const collection = (
  path: string,
  { item, body = (_, example) => example, verbs = ['POST', 'PUT', 'PATCH', 'DELETE'] }: CollectionCalls,
): Record<string, MakeCall> => {
  const calls: Record<string, MakeCall> = {
    [`GET ${path}`]: async (make) => (await item(make), { query: PAGE }),
    [`POST ${path}/query`]: async (make) => (await item(make), { body: PAGE_BODY }),
    [`GET ${path}/counts`]: async (make) => (await item(make), { query: 'by=id' }),
    [`GET ${path}/{id}`]: (make) => idOf(item(make)),
    [`POST ${path}`]: async (make, example) => ({ body: await body(make, example) }),
    [`PUT ${path}/{id}`]: async (make, example) => ({ ...(await idOf(item(make))), body: await body(make, example) }),
    [`PATCH ${path}/{id}`]: async (make, example) => ({ ...(await idOf(item(make))), body: example }),
    [`DELETE ${path}/{id}`]: (make) => idOf(item(make)),
  };
  return Object.fromEntries(
    Object.entries(calls).filter(([name]) => isRead(name) || verbs.some((verb) => name.startsWith(verb))),
  );
};

export const stateMoves = (path: string, item: CollectionCalls['item']): Record<string, MakeCall> => ({
  [`GET ${path}`]: (make) => idOf(item(make)),
  [`PUT ${path}`]: async (make, example) => ({ ...(await idOf(item(make))), body: example }),
});

export const history = (path: string, item: CollectionCalls['item']): Record<string, MakeCall> => ({
  [`GET ${path}/{id}/history`]: async (make) => ({ ...(await idOf(item(make))), query: 'per_page=2' }),
});

export const formValues = (
  path: string,
  {
    resource,
    item,
    isBulk = true,
  }: { readonly resource: string; readonly item: CollectionCalls['item']; readonly isBulk?: boolean },
): Record<string, MakeCall> => {
  const values = async (make: Factories): Promise<readonly Body[]> => {
    const sections = [
      {
        name: 'Section',
        items: [{ key: 'chosen', label: 'Chosen', type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }] }],
      },
    ];
    const form = await make.form({ resource, sections });
    return (form['sections'] as readonly { readonly items: readonly Item[] }[]).flatMap(({ items }) =>
      items.map(({ id }) => ({ item_id: id, value: ['b', 'a'] })),
    );
  };
  const calls: Record<string, MakeCall> = {
    [`GET ${path}/{id}/form_values`]: (make) => idOf(item(make)),
    [`POST ${path}/{id}/form_values`]: async (make) => ({
      ...(await idOf(item(make))),
      body: { form_values: await values(make) },
    }),
    [`POST ${path}/bulk_form_values`]: async (make) => ({
      body: { items: [{ id: (await item(make)).id, form_values: await values(make) }] },
    }),
  };
  return Object.fromEntries(Object.entries(calls).filter(([name]) => isBulk || !name.includes('bulk')));
};

/** Returns the name of the property that has the target of a copy. It has another name below version 1.6. */
const nameOfTarget = (example: Body): string => ('vacancy_id' in example ? 'vacancy_id' : 'opp_id');

const withComms = async (make: Factories, item: CollectionCalls['item']): Promise<Call> => {
  const application = await item(make);
  await make.communication({ application, template_id: (await make.messageTemplate()).id });
  return { path: { id: application.id } };
};

export const applicationCalls = (
  path: string,
  item: CollectionCalls['item'],
  makeOpportunity: CollectionCalls['item'],
): Record<string, MakeCall> => ({
  ...collection(path, {
    item,
    body: async (make, example) => ({
      ...example,
      opportunity_id: (await makeOpportunity(make)).id,
      candidate: { ...(example['candidate'] as Body), email: email() },
    }),
  }),
  ...stateMoves(`${path}/{id}/process_state`, item),
  ...history(path, item),
  [`GET ${path}/history`]: async (make) => (await item(make), { query: 'since_id=0&per_page=2' }),
  [`POST ${path}/{id}/score`]: async (make, example) => ({ ...(await idOf(item(make))), body: example }),
  [`POST ${path}/{id}/copy`]: async (make, example) => ({
    ...(await idOf(item(make))),
    body: { ...example, [nameOfTarget(example)]: (await makeOpportunity(make)).id },
  }),
  ...formValues(path, { resource: path.includes('event') ? 'event_applications' : 'applications', item }),
  [`GET ${path}/{id}/comms`]: async (make) => ({ ...(await withComms(make, item)), query: PAGE }),
  [`POST ${path}/{id}/comms/query`]: async (make) => ({ ...(await withComms(make, item)), body: PAGE_BODY }),
  [`POST ${path}/{id}/comms`]: async (make, body) => ({ ...(await idOf(item(make))), body }),
  [`POST ${path}/{id}/comms/preview`]: async (make, body) => ({
    ...(await idOf(item(make))),
    query: 'rich_txt_fmt=html',
    body,
  }),
});
