import { type SqlAttribute } from '@ats/search-query';
import { attributeAt } from '../objects/attribute-at.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type LayoutColumn } from './layout-column.js';

/**
 * Weights that limit the cost of a layout. Each column has the weight `column`; expensive values add the other weights.
 * Source: docs/reference/layouts.md, "Limits".
 */
const WEIGHTS = {
  column: 1,
  /**
   * The weight that a rich text adds, because it can be long. Several columns with the same rich text add it several
   * times.
   */
  longText: 4,
  /**
   * The weight that a list through a to-many relation adds. Several columns with the same datapath add it only once.
   */
  list: 4,
  /**
   * The weight that a value adds which is computed from other rows, such as a count. Several columns with the same
   * datapath add it only once.
   */
  computed: 9,
} as const;

/**
 * Returns the total weight of the columns. A list or computed value that several columns show counts once, because it
 * is computed once.
 */
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
