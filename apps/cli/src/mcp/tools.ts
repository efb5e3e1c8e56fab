import { type Client } from '@ats/client';
import { type LanguageService } from '@ats/datapath';
import { z } from 'zod';
import { pathOf } from '../context.js';
import { kept } from '../language/kept.js';
import { languageOfService } from '../language/model.js';
import { hasNoPages } from '../resources.js';

/** A tool for assistants. It only reads. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly run: (input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;
const collection = z
  .string()
  .regex(/^[a-z_]+(\/\d+\/[a-z_]+)*$/)
  .describe('A collection such as vacancies, or below an item such as vacancy_applications/3/comms');
const id = z.number().int().positive();
const narrowing = {
  search: z.array(z.string()).optional().describe('Conditions such as /lastname=Example; all must hold'),
  where: z.string().optional().describe('An expression such as application.rating > 3'),
  filter: z.string().optional().describe('A text in any filterable attribute'),
};
const paging = {
  page: z.number().int().positive().optional(),
  per_page: z.number().int().min(1).max(MAX_PER_PAGE).optional(),
};
const fields = z.string().optional().describe('Names of properties, separated by commas, to shorten the answer');

/**
 * Returns the tools. Each request uses the credential of the client, so the service limits all answers by its scopes.
 */
export function toolsOf(client: Client): readonly Tool[] {
  const get = async (path: string, query?: Readonly<Record<string, unknown>>): Promise<unknown> =>
    (await client.get<{ 200: unknown }, unknown, true>({ url: pathOf(path), query, throwOnError: true })).data;
  /**
   * Reads a page of a collection. For a list without pages, such as `processes`, reads all items and returns the part
   * that the page would have.
   */
  const list = async (
    path: string,
    place: { readonly per_page: number; readonly page: number | undefined },
    query: Readonly<Record<string, unknown>>,
  ): Promise<unknown> => {
    try {
      return await get(path, { ...place, ...query });
    } catch (error) {
      if (!hasNoPages(error)) throw error;
      const whole = await get(path, query);
      const { page = 1, per_page: size } = place;
      return Array.isArray(whole) ? whole.slice((page - 1) * size, page * size) : whole;
    }
  };
  const languages = new Map<string | undefined, () => Promise<LanguageService>>();
  const languageOf = (root?: string): Promise<LanguageService> => {
    const language = languages.get(root) ?? kept(() => languageOfService(client, root));
    languages.set(root, language);
    return language();
  };
  return [
    {
      name: 'who_am_i',
      description: 'The credential: its recruiter, its scopes and its end',
      input: {},
      run: () => get('me'),
    },
    {
      name: 'list_items',
      description: 'Items of a collection, in pages',
      input: { collection, ...narrowing, sort: z.array(z.string()).optional(), fields, ...paging },
      run: ({ collection: name, page, per_page: size = DEFAULT_PER_PAGE, ...query }) =>
        list(String(name), { per_page: Number(size), page: page as number | undefined }, query),
    },
    {
      name: 'get_item',
      description: 'One item of a collection',
      input: { collection, id, fields },
      run: ({ collection: name, id: item, ...query }) => get(`${String(name)}/${String(item)}`, query),
    },
    {
      name: 'count_items',
      description: 'Numbers of items, grouped by the values of a datapath such as application.source',
      input: { collection, by: z.string(), ...narrowing },
      run: ({ collection: name, ...query }) => get(`${String(name)}/counts`, query),
    },
    {
      name: 'list_datapaths',
      description:
        'Names that expressions, searches and sort keys can use, one name after a prefix such as application.',
      input: { root: z.string().optional(), prefix: z.string().optional(), q: z.string().optional(), ...paging },
      run: (query) => get('datapaths', { per_page: MAX_PER_PAGE, ...query }),
    },
    {
      name: 'list_event_types',
      description: 'Types of notification events, with the root of their expressions',
      input: {},
      run: async () =>
        ((await get('event_types')) as readonly Readonly<Record<string, unknown>>[]).map(
          ({ type, description, root, required_scopes: scopes }) => ({
            type,
            description,
            root,
            required_scopes: scopes,
          }),
        ),
    },
    {
      name: 'check_expression',
      description:
        'Violations of an expression, with changes that correct them. An empty list means that it is correct',
      input: { expression: z.string(), root: z.string().optional().describe('Such as application') },
      run: async ({ expression, root }) => {
        const [language, { check }] = [
          await languageOf(root as string | undefined),
          await import('../language/check.js'),
        ];
        return check(language, 'expression', String(expression));
      },
    },
    {
      name: 'test_topic',
      description: 'Which of the last events of a type an expression would match, with the values that decide',
      input: { type: z.string(), expression: z.string(), limit: z.number().int().min(1).max(MAX_PER_PAGE).optional() },
      run: async (body) => {
        const url = pathOf('notification_topics/preview');
        const headers = { 'content-type': 'application/json' };
        const sent = { limit: 20, ...body };
        return (await client.post<{ 200: unknown }, unknown, true>({ url, body: sent, headers, throwOnError: true }))
          .data;
      },
    },
    {
      name: 'explain_event',
      description: 'Why a topic was or was not notified of an event, step by step',
      input: { topic_id: id, event_id: id },
      run: ({ topic_id: topic, event_id }) => get(`notification_topics/${String(topic)}/explain`, { event_id }),
    },
    {
      name: 'list_changes',
      description: 'What changed since a time with a time zone, or since the token `next` of an earlier answer',
      input: {
        since: z.string(),
        resources: z.string().optional(),
        limit: z.number().int().min(1).max(MAX_PER_PAGE).optional(),
      },
      run: (query) => get('changes', { limit: MAX_PER_PAGE, ...query }),
    },
  ];
}
