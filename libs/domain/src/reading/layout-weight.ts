import { type SqlAttribute } from '@ats/search-query';
import { attributeAt } from '../objects/attribute-at.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type LayoutColumn } from './layout-column.js';

/**
 * Weights of the columns of a layout. A plain value has the weight `column`. The other weights are added to it.
 * Source: docs/reference/layouts.md, "Limits".
 */
const WEIGHTS = {
  column: 1,
  /** A rich text, which can be long. Each column that shows it counts. */
  longText: 4,
  /** A list through a to-many relation, once for each datapath. */
  list: 4,
  /** A value that is computed from other rows, such as a count, once for each datapath. */
  computed: 9,
} as const;

/** The weight of all columns together. A value that several columns show is computed once, so it counts once. */
export function weightOf(root: ObjectType, columns: readonly LayoutColumn[]): number {
  const byDatapath = new Map(columns.map((column) => [column.datapath, column]));
  const perColumn = columns.map((column) => WEIGHTS.column + (isLongText(column) ? WEIGHTS.longText : 0));
  const perDatapath = [...byDatapath.values()].map(
    (column) =>
      (column.isMany ? WEIGHTS.list : 0) + (shownAttribute(root, column).readsOtherRows ? WEIGHTS.computed : 0),
  );
  return [...perColumn, ...perDatapath].reduce((sum, weight) => sum + weight, 0);
}

const isLongText = ({ type }: LayoutColumn): boolean => type === 'rich_text';

function shownAttribute(root: ObjectType, { value, formItem }: LayoutColumn): SqlAttribute {
  const end = formItem?.value;
  if (end?.kind !== 'attribute') return attributeAt(root, value).attribute;
  const attribute = getObjectType(end.owner).attributes[end.name];
  if (!attribute) throw new Error(`the object type ${end.owner} has no attribute ${end.name}`);
  return attribute;
}
