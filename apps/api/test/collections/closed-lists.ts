import { parseDatapath, resolveDatapath } from '@ats/datapath';
import { type JsonSchema, modelForNewTexts, type Resource, representationSchema } from '@ats/domain';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

/** A property of a representation whose value is no object. */
export interface ScalarField {
  readonly pointer: string;
  /** The datapath after the name of its root. */
  readonly datapath: string;
  readonly schema: JsonSchema;
}

/**
 * Returns all properties of the representation of a resource that are no objects. Leaves out `layout_data`, because it
 * depends on the layout of a request.
 */
export const scalarsOf = (resource: Resource): readonly ScalarField[] =>
  scalarsBelow(representationSchema(resource), '').filter(({ pointer }) => !pointer.startsWith('/layout_data'));

function scalarsBelow(schema: JsonSchema, pointer: string): readonly ScalarField[] {
  const { properties, items, type } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    type?: unknown;
  };
  if (properties)
    return Object.entries(properties).flatMap(([name, below]) => scalarsBelow(below, `${pointer}/${name}`));
  if (type === 'array' && items) {
    const element = 'x-datapath' in schema ? { ...schema, ...items } : items;
    return scalarsBelow(element, `${pointer}/*`);
  }
  const { 'x-datapath': shown = '' } = schema as { readonly 'x-datapath'?: string };
  const datapath = shown.replace(/^\w+\./, '');
  return [{ pointer, datapath, schema }];
}

/** Returns the values of the closed list of a datapath, or undefined when it accepts every value. */
export async function valuesOf(api: Api, root: string, datapath: string): Promise<readonly string[] | undefined> {
  const text = `${root}.${datapath}`;
  const model = await modelForNewTexts((sql, parameters) => api.database.query(sql, parameters), [text]);
  return resolveDatapath(parseDatapath(text, model), model, root).values;
}

/** Returns a value that a field with this schema can have. */
export function legalValue({ type, format }: JsonSchema, values: readonly string[] | undefined): string {
  if (values) return values[0] ?? '';
  const kind = Array.isArray(type) ? String(type[0]) : String(type);
  if (kind === 'integer') return '1';
  if (kind === 'number') return '1.5';
  if (kind === 'boolean') return 'true';
  if (format === 'date') return '2026-11-21';
  return format === 'date-time' ? '2026-11-21T09:00:00.000Z' : 'x';
}

/** Creates a subscription. Maps each resource whose items are below a topic to the path of a collection. */
export async function nestedPaths(make: Factories): Promise<Readonly<Record<string, string>>> {
  const { url } = await make.subscription();
  const path = new URL(url).pathname.replace(/^.*\/api\/v1/, '');
  return {
    notification_subscriptions: path.replace(/\/\d+$/, ''),
    notification_deliveries: `${path}/deliveries`,
    notification_redeliveries: `${path}/redeliveries`,
  };
}

/** Returns the path that searches a collection for items with all conditions. */
export const searchUrl = (path: string, conditions: readonly string[]): string =>
  `${path}?per_page=1&${conditions.map((text) => `search=${encodeURIComponent(text)}`).join('&')}`;
