import { isPersonal } from '../objects/personal-datapaths.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type Resource } from '../vocabulary/resource.js';
import { type Layout } from './layout-column.js';
import { representationOf } from './representation.js';

const known = new WeakMap<ObjectType, boolean>();

/** True when the representation of a resource's items contains personal data. Source: docs/reference/audit.md. */
export function showsPersonalData({ type }: Resource): boolean {
  const found =
    known.get(type) ?? representationOf(type).some(({ datapath }) => isPersonal(`${type.name}.${datapath}`));
  known.set(type, found);
  return found;
}

/** True when a column of the layout shows personal data. */
export const layoutShowsPersonalData = ({ type }: Resource, { columns }: Layout): boolean =>
  columns.some(({ value }) => isPersonal(`${type.name}.${value}`));
