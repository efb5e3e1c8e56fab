import { DatapathColumns, quoteLiteral, type SqlAttribute, type SqlSettings } from '@ats/search-query';
import { type Layout } from './layout-column.js';
import { LAYOUT_DATA, layoutDataText } from './layout-sql.js';
import { type Resource, type RowSource } from '../vocabulary/resource.js';
import { type ShownSettings } from '../vocabulary/settings-property.js';
import { type RichTextForm } from '../vocabulary/rich-text.js';
import { boundedText, htmlText, listText, objectText, valueText } from './json-text.js';
import { objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { representationOf, type RepresentationField } from './representation.js';

/** The settings of a request on which a representation depends. */
export interface ReadSettings extends ShownSettings {
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
  /** Language of localised texts. */
  readonly language: string;
  /**
   * The resources that the reader may read. A value that needs further resources is null. If absent, all values are
   * shown.
   */
  readonly readable?: readonly string[];
  /** Format of rich texts. Defaults to plain text. */
  readonly richText?: RichTextForm;
  /** The layout whose columns are in `layout_data`. Without a layout there is no `layout_data`. */
  readonly layout?: Layout;
  /** The properties of the representation, beside `layout_data`. If absent, the representation has all properties. */
  readonly fields?: ReadonlySet<string>;
}

export const sqlSettings = ({ baseUrl, language, apiVersions = [], readable }: ReadSettings): SqlSettings => ({
  ...(readable && { readable: `${quoteLiteral(`{${readable.join(',')}}`)}::text[]` }),
  baseUrl: quoteLiteral(baseUrl),
  language: quoteLiteral(language),
  apiVersions: quoteLiteral(JSON.stringify(apiVersions)),
});

/**
 * Settings for values that clients see; they include the format of rich texts. Values that are compared or stored use
 * {@link sqlSettings}, so that their rich texts are plain text.
 */
const shownSettings = (settings: ReadSettings): SqlSettings => ({
  ...sqlSettings(settings),
  ...(settings.richText && { richText: settings.richText }),
});

/** SQL that formats a value for clients: moments in UTC with milliseconds and `Z`, dates as `YYYY-MM-DD`. */
export function formatValue(sql: string, { type, many }: SqlAttribute): string {
  if (type === 'date' && many) return `(${sql})::text[]`;
  if (type === 'datetime') return `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (type === 'date') return `to_char(${sql}, 'YYYY-MM-DD')`;
  return sql;
}

/**
 * Returns SQL conditions that select the rows of a row source.
 * @param ownerParameter  placeholder of the owner's id. With a `sharedColumn` it is the id of the recruiter who reads
 */
export function conditionsOf(
  { type, fixed, ownerColumn, sharedColumn }: RowSource,
  alias: string,
  ownerParameter: string,
): string[] {
  const isOwned = `${alias}.${ownerColumn ?? ''} = ${ownerParameter}`;
  return [
    ...Object.entries({ ...type.fixed, ...fixed }).map(
      ([column, value]) => `${alias}.${column} = ${quoteLiteral(value)}`,
    ),
    ...(ownerColumn ? [sharedColumn ? `(${isOwned} OR ${alias}.${sharedColumn})` : isOwned] : []),
  ];
}

/**
 * SQL for the representation of one item as JSON text in `body`. `$1` is the id of the item. `$2` is the id of its
 * owner, for a source with an `ownerColumn`.
 * @param rows  the table or the common table expression with the row of the item; defaults to the table of its type
 */
export function itemStatement(source: RowSource, settings: ReadSettings, rows: string = tableOf(source.type)): string {
  const { json, joins } = representationJson(source.type, settings, 'item');
  const conditions = ['t.id = $1', ...conditionsOf(source, 't', '$2')].join(' AND ');
  return `SELECT ${boundedText('i.json')} AS body FROM (
    SELECT ${json} AS json FROM ${rows} t ${joins} WHERE ${conditions} OFFSET 0) i`;
}

/**
 * SQL that returns one row when the item exists, and no row otherwise. Its parameters are the same as in
 * {@link itemStatement}.
 */
export const existenceStatement = (source: RowSource): string =>
  `SELECT 1 FROM ${tableOf(source.type)} t WHERE ${['t.id = $1', ...conditionsOf(source, 't', '$2')].join(' AND ')}`;

/** SQL for the owners of an item. Its parameters are the same as in {@link itemStatement}. */
export function ownerStatement(resource: Resource): string {
  const { credential, recruiter } = resource.owners?.('t') ?? { credential: 't.owner_id', recruiter: 'NULL::bigint' };
  return `SELECT ${credential} AS credential_id, ${recruiter} AS recruiter_id FROM ${tableOf(resource.type)} t
    WHERE ${['t.id = $1', ...conditionsOf(resource, 't', '$2')].join(' AND ')}`;
}

interface Node {
  readonly children: Map<string, Node>;
  field?: RepresentationField;
  presentIf?: string;
}

/**
 * Returns SQL for the JSON of the representation of the row `t`, and the joins that this SQL needs.
 * @param place  attributes that are `onlyInItems` are left out when this is `page`
 */
export function representationJson(
  type: ObjectType,
  settings: ReadSettings,
  place: 'item' | 'page',
): { readonly json: string; readonly joins: string } {
  const layoutFormat = settings.richText === 'html_scalars' ? htmlText : valueText;
  const isWanted = (name = ''): boolean => settings.fields?.has(name) ?? true;
  const fields = representationOf(type).filter(
    ({ onlyInItems, pointer }) => (place === 'item' || !onlyInItems) && isWanted(pointer.split('/')[1]),
  );
  const fromSettings = Object.entries(type.fromSettings)
    .filter(([name]) => isWanted(name))
    .map(([name, { read }]) => [name, quoteLiteral(JSON.stringify(read(settings)))] as const);
  const write = (shared?: ReadonlySet<string>): { json: string; columns: DatapathColumns } => {
    const columns = new DatapathColumns({
      model: objectModel,
      root: type.name,
      alias: 't',
      settings: shownSettings(settings),
      format: valueText,
      list: listText,
      remembersSmall: true,
      ...(shared && { shared }),
    });
    const layoutData = settings.layout
      ? [[LAYOUT_DATA, layoutDataText(settings.layout, columns, layoutFormat)] as const]
      : [];
    return { json: objectText([...membersOf(treeOf(fields), columns), ...fromSettings, ...layoutData]), columns };
  };
  const first = write();
  // The SQL is generated twice. The first text shows which values occur more than once. The second text computes each
  // of them once.
  const repeated = first.columns.repeatedValues;
  const { json, columns } = repeated.size > 0 ? write(repeated) : first;
  return { json, joins: columns.joins };
}

function treeOf(fields: readonly RepresentationField[]): Node {
  const root: Node = { children: new Map() };
  for (const field of fields) {
    let node = root;
    let holder = root;
    for (const name of field.pointer.slice(1).split('/')) {
      const child = node.children.get(name) ?? { children: new Map<string, Node>() };
      node.children.set(name, child);
      [holder, node] = [node, child];
    }
    node.field = field;
    if (field.presentIf) holder.presentIf = field.presentIf;
  }
  return root;
}

const membersOf = (node: Node, columns: DatapathColumns): [name: string, json: string][] =>
  [...node.children].map(([name, child]) => [name, nodeText(child, columns)]);

const nodeObject = (node: Node, columns: DatapathColumns): string => objectText(membersOf(node, columns));

function nodeText(node: Node, columns: DatapathColumns): string {
  if (node.field) return columns.column(node.field.datapath);
  const element = node.children.get('*');
  if (element) return listOf(element, columns);
  const object = nodeObject(node, columns);
  return node.presentIf ? `CASE WHEN ${columns.value(node.presentIf)} IS NULL THEN 'null' ELSE ${object} END` : object;
}

/** SQL for the list of a to-many relation. The datapaths of the fields start with the name of the relation. */
function listOf(element: Node, columns: DatapathColumns): string {
  return columns.elements(firstStep(element), (elementColumns) =>
    nodeObject(withoutFirstStep(element), elementColumns),
  );
}

function firstStep({ field, children }: Node): string {
  if (field) return field.datapath.split('.')[0] ?? '';
  const [first] = children.values();
  if (!first) throw new Error('the elements of a list in a representation have no fields');
  return firstStep(first);
}

const withoutFirst = (datapath: string): string => datapath.slice(datapath.indexOf('.') + 1);

function withoutFirstStep({ children, field, presentIf }: Node): Node {
  return {
    children: new Map([...children].map(([name, child]) => [name, withoutFirstStep(child)])),
    ...(field && { field: { ...field, datapath: withoutFirst(field.datapath) } }),
    ...(presentIf && { presentIf: withoutFirst(presentIf) }),
  };
}

export function tableOf(type: ObjectType): string {
  if (!type.table) throw new Error(`the object type ${type.name} has no table of its own`);
  return type.table;
}
