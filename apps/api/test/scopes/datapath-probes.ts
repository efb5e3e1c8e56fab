import { allResources, EVENT_ROOTS, EVENT_TYPES, getResource, objectModel, type Resource } from '@ats/domain';
import { type Answer, type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { inParallel } from '../support/in-parallel.js';
import { type AllowedReaders, columnsOf, type Readers } from './allowed-readers.js';
import { canariesIn } from './canaries.js';

/**
 * A datapath from a collection to a value that the read scope of the collection does not show. The tests try to find
 * out the value through the datapath.
 */
export interface Probe {
  readonly resource: Resource;
  /** The datapath, including the name of its root. */
  readonly datapath: string;
  /** A canary that the datapath reaches. */
  readonly canary: string;
  /** Sets of scopes. A credential with all scopes of one set may read the canary. */
  readonly readers: Readers;
  /**
   * True when sorting by the datapath must need another scope: no row of the collection has a readable value, the
   * datapath has a single value, and the value is not null without further scopes.
   */
  readonly isSortable: boolean;
  /** An expression that is true for items with the canary. */
  readonly where: string;
}

/** Maximum number of relations in a datapath. */
const MAX_RELATIONS = 2;

/**
 * Returns all datapaths with at most two relations that lead to a value which the scope of their collection does not
 * show.
 */
export const probesOf = (readers: AllowedReaders): readonly Probe[] =>
  allResources()
    .filter(({ ownerColumn, sharedColumn }) => ownerColumn === undefined || sharedColumn !== undefined)
    .flatMap((resource) => probesBelow({ resource, type: resource.type.name, path: [], isMany: false }, readers));

interface Reached {
  readonly resource: Resource;
  /** Name of the object type at the end of the path. */
  readonly type: string;
  readonly path: readonly string[];
  readonly isMany: boolean;
}

function probesBelow(reached: Reached, readers: AllowedReaders): readonly Probe[] {
  const { resource, path, isMany } = reached;
  const { attributes = {}, relations = {} } = objectModel.type(reached.type) ?? {};
  const own = Object.entries(attributes).flatMap(([name, attribute]): Probe[] => {
    const [column = ''] = columnsOf(resource.type.name, [...path, name]);
    const canaries = readers.inColumn.get(column) ?? [];
    const hidden = canaries.filter((canary) => !isReadable(readers, canary, resource));
    const [canary] = hidden;
    const isOne = !isMany && !attribute.many && !attribute.needsFurtherScopes;
    const isSortable = isOne && hidden.length === canaries.length;
    const datapath = [resource.type.name, ...path, name].join('.');
    if (canary === undefined) return [];
    const where = `${datapath} ${comparisonWith(canary, attribute.type)}`;
    return [{ resource, datapath, canary, readers: readers.byCanary.get(canary) ?? [], isSortable, where }];
  });
  const further = path.length >= MAX_RELATIONS ? [] : Object.entries(relations);
  return [
    ...own,
    ...further.flatMap(([name, { target, many }]) =>
      probesBelow({ resource, type: target, path: [...path, name], isMany: isMany || many }, readers),
    ),
  ];
}

function comparisonWith(canary: string, type: string): string {
  if (type === 'integer' || type === 'decimal') return `== ${canary}`;
  return `${type === 'text' || type === 'rich_text' ? '=~' : '=='} "${canary}"`;
}

const isReadable = ({ byCanary }: AllowedReaders, canary: string, { scope }: Resource): boolean =>
  byCanary.get(canary)?.some((set) => set.every((one) => one === `${scope}:read`)) === true;

const isEmptyPreview = ({ json }: Answer): boolean => (json as { readonly count?: unknown }).count === 0;

/** A preview of the objects that an expression matches. */
interface ObjectPreview {
  /** Name of the preview in the result of `findLeaks`. */
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** The scopes of the route itself. */
  readonly scopes: readonly string[];
  /** Name of the object type of the matched objects. */
  readonly root: string;
}

/** Returns one preview for each object type that events are about, for each opportunity, and for each form. */
async function objectPreviews(api: Api): Promise<readonly ObjectPreview[]> {
  const scopesOf = (name: string): readonly string[] => [`${name}:read`, `${name}:write`];
  const idsOf = async (collection: string): Promise<readonly Item[]> =>
    expectStatus(200, await api.get(`/${collection}?per_page=1000`)).items;
  const topics = EVENT_TYPES.map((type) => ({
    name: 'topic',
    path: '/notification_topics/objects/preview',
    body: { type },
    scopes: scopesOf('notifications'),
    root: EVENT_ROOTS[type],
  }));
  const rules = await Promise.all(
    ['vacancies', 'events'].map(async (collection) =>
      (await idsOf(collection)).map(({ id }) => ({
        name: 'rule',
        path: `/${collection}/${id}/scoring_rules/preview`,
        body: {},
        scopes: scopesOf(collection),
        root: 'application',
      })),
    ),
  );
  const conditions = (await idsOf('forms')).map(({ id, resource }) => ({
    name: 'condition',
    path: `/forms/${id}/conditions/preview`,
    body: {},
    scopes: scopesOf('forms'),
    root: getResource(String(resource)).type.name,
  }));
  return [...new Map(topics.map((one) => [one.root, one])).values(), ...rules.flat(), ...conditions];
}

/**
 * Tries to find out a value through its datapath. Uses the datapath in `search`, `sort`, `where` and counts, in the
 * previews of topics, scoring rules and conditions of forms, and in a layout. The credential has only the scopes that
 * read the collection and use the routes of the previews.
 * @returns the requests that show the value or let the client find it out
 */
export async function findLeaks(
  api: Api,
  probes: readonly Probe[],
  tokenOf: (...scopes: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
  const leaks: string[] = [];
  const previews = await objectPreviews(api);
  await inParallel(probes, 4, async ({ resource, datapath, canary, readers, isSortable, where }) => {
    const token = await tokenOf(`${resource.scope}:read`);
    const send = (query: string): Promise<Answer> => api.get(`/${resource.paths[0]}?${query}&per_page=1000`, { token });
    const columns = [{ title: 'Probe', datapath }];
    const layout = await api.post('/layouts', { name: 'Probe', resource: resource.name, columns });
    const { id } = expectStatus(201, layout).item;
    const search = await send(`search=${datapath}${/^\d/.test(canary) ? '=' : '=~'}${canary}`);
    if (search.status < 400 && search.items.length > 0) leaks.push(`search ${datapath}`);
    if (isSortable && (await send(`sort=${datapath}!asc`)).status < 400) leaks.push(`sort ${datapath}`);
    const compared = await send(`where=${encodeURIComponent(where)}`);
    if (compared.status < 400 ? compared.items.length > 0 : compared.status !== 403) leaks.push(`where ${datapath}`);
    const counted = await api.get(`/${resource.paths[0]}/counts?by=${datapath}`, { token });
    if (counted.status < 400 && canariesIn(counted.text).has(canary)) leaks.push(`counts ${datapath}`);
    for (const { name, path, body, scopes } of previews.filter(({ root }) => root === resource.type.name)) {
      const granted = [...scopes, `${resource.scope}:read`];
      // Skips the preview when the scopes that its route needs already allow the credential to read the value.
      if (readers.some((set) => set.every((scope) => granted.includes(scope)))) continue;
      const previewed = await api.post(path, { ...body, expression: where }, { token: await tokenOf(...granted) });
      // When a preview cannot use a datapath, it answers 422 to every credential. So 422 reveals nothing.
      if (previewed.status !== 403 && previewed.status !== 422 && !isEmptyPreview(previewed))
        leaks.push(`${name} ${datapath}`);
    }
    const shown = await send(`layout=${id}`);
    if (canariesIn(shown.text).has(canary)) leaks.push(`layout ${datapath}`);
  });
  return leaks;
}
