import { DatapathColumns, quoteLiteral, type SqlAttribute, type SqlSettings } from '@ats/search-query';
import { type Layout } from '../layout/layout.js';
import { LAYOUT_DATA, layoutDataSql } from '../layout/layout-sql.js';
import { objectModel } from './object-model.js';
import { type ObjectType } from './object-type.js';
import { representationOf, type RepresentationField } from './representation.js';

/** What a representation depends on beside the row: the same for a whole request. */
export interface ReadSettings {
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  /** Of localised texts. */
  readonly language: string;
  /** Adds `layout_data`. */
  readonly layout?: Layout;
}

export const sqlSettings = ({ baseUrl, language }: ReadSettings): SqlSettings => ({
  baseUrl: quoteLiteral(baseUrl),
  language: quoteLiteral(language),
});

/** Values as clients read them: moments in UTC with milliseconds and `Z`, dates as `YYYY-MM-DD`. CONTRACT.md, conventions. */
export function formatValue(sql: string, { type }: SqlAttribute): string {
  if (type === 'datetime') return `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (type === 'date') return `to_char(${sql}, 'YYYY-MM-DD')`;
  return sql;
}

/** Where the statements below find the rows: the table, and the condition that keeps one type apart from its neighbours. */
export interface RowSource {
  /** Of the collection: what faults name as their `resource`. CONTRACT.md 11. */
  readonly name: string;
  readonly type: ObjectType;
  /** Narrows a table that several collections share, for example to one kind of application. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The column that points to the owner, for a collection that lives below an item of another. */
  readonly ownerColumn?: string;
}

/** The conditions of a row source; `ownerParameter` stands for the owner's id. */
export const conditionsOf = ({ type, fixed, ownerColumn }: RowSource, alias: string, ownerParameter: string): string[] => [
  ...Object.entries({ ...type.fixed, ...fixed }).map(([column, value]) => `${alias}.${column} = ${quoteLiteral(value)}`),
  ...(ownerColumn ? [`${alias}.${ownerColumn} = ${ownerParameter}`] : []),
];

/** The representation of one item as JSON text in `body`; `$1` is its id, `$2` its owner's. No row: there is no such item. */
export function itemStatement(source: RowSource, settings: ReadSettings): string {
  const { select, joins } = representationSelect(source.type, settings);
  const conditions = ['t.id = $1', ...conditionsOf(source, 't', '$2')].join(' AND ');
  return `SELECT row_to_json(r)::text AS body FROM (SELECT ${select} FROM ${tableOf(source.type)} t ${joins} WHERE ${conditions}) r`;
}

interface Node {
  readonly children: Map<string, Node>;
  field?: RepresentationField;
  presentIf?: string;
}

/** The columns of the representation, each called like its property, and the joins they need, for the row called `t`. */
export function representationSelect(type: ObjectType, settings: ReadSettings): { readonly select: string; readonly joins: string } {
  const columns = new DatapathColumns({
    model: objectModel,
    root: type.name,
    alias: 't',
    settings: sqlSettings(settings),
    format: formatValue,
  });
  const select = selectList(treeOf(representationOf(type)), columns);
  const layoutData = settings.layout ? `, ${layoutDataSql(settings.layout, columns)} AS ${LAYOUT_DATA}` : '';
  return { select: `${select}${layoutData}`, joins: columns.joins };
}

function treeOf(fields: readonly RepresentationField[]): Node {
  const root: Node = { children: new Map() };
  for (const field of fields) {
    let node = root;
    for (const name of field.pointer.slice(1).split('/')) {
      const child = node.children.get(name) ?? { children: new Map<string, Node>() };
      node.children.set(name, child);
      if (field.presentIf && node === root) child.presentIf = field.presentIf;
      node = child;
    }
    node.field = field;
  }
  return root;
}

const selectList = (node: Node, columns: DatapathColumns): string =>
  [...node.children].map(([name, child]) => `${valueOf(child, columns)} AS "${name}"`).join(', ');

const objectOf = (node: Node, columns: DatapathColumns): string =>
  `(SELECT row_to_json(o) FROM (SELECT ${selectList(node, columns)}) o)`;

function valueOf(node: Node, columns: DatapathColumns): string {
  if (node.field) return columns.column(node.field.datapath);
  const element = node.children.get('*');
  if (element) return listOf(element, columns);
  const object = objectOf(node, columns);
  return node.presentIf ? `CASE WHEN ${columns.column(node.presentIf)} IS NOT NULL THEN ${object} END` : object;
}

/** A relation to many: the fields' datapaths start with its name, and are read from each element. */
function listOf(element: Node, columns: DatapathColumns): string {
  const [first] = element.children.values();
  const relation = first?.field?.datapath.split('.')[0] ?? '';
  return columns.elements(relation, (elementColumns) => objectOf(withoutFirstStep(element), elementColumns));
}

function withoutFirstStep(node: Node): Node {
  const children = new Map<string, Node>();
  for (const [name, child] of node.children) {
    if (!child.field) throw new Error('a list shows attributes of its elements only');
    const datapath = child.field.datapath.split('.').slice(1).join('.');
    children.set(name, { children: new Map(), field: { ...child.field, datapath } });
  }
  return { children };
}

export function tableOf(type: ObjectType): string {
  if (!type.table) throw new Error(`the object type ${type.name} has no table of its own`);
  return type.table;
}
