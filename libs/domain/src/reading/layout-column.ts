import { DatapathError, violationMessage, parseDatapath, resolveDatapath, type ResolvedDatapath } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type ConditionTree } from '@ats/search-query';
import { attributeAt } from '../objects/attribute-at.js';
import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** One resolved column of a layout. */
export interface LayoutColumn {
  /** Canonical datapath, with the root's name. */
  readonly datapath: string;
  readonly type: ResolvedDatapath['type'];
  readonly isMany: boolean;
  /**
   * The datapath of the shown value, without the root's name. When the column shows an object, it is the datapath of
   * the object's label.
   */
  readonly value: string;
  /** The datapath of the shown object's id. Absent when the column shows a plain value. */
  readonly raw?: string;
  /**
   * For a form item, the attribute of the shown value. A select item also has the attribute of the ids of its options.
   */
  readonly formItem?: { readonly value: ConditionTree.PathEnd; readonly raw?: ConditionTree.PathEnd };
}

/** The resolved columns of a layout. */
export interface Layout {
  readonly columns: readonly LayoutColumn[];
}

/** All datapaths that a layout reads, without the root's name. The client needs the scopes for all of them. */
export const layoutDatapaths = ({ columns }: Layout): readonly string[] =>
  columns.flatMap(({ value, raw }) => (raw === undefined ? [value] : [value, raw]));

/** Returns a cache key. Two layouts have the same key exactly when their SQL statements are equal. */
export const layoutKey = ({ columns }: Layout): string =>
  columns
    .map(({ datapath, formItem }) =>
      formItem?.value.kind === 'attribute' ? `${datapath} ${formItem.value.owner}` : datapath,
    )
    .join(' ');

/** The violations of an invalid column; never empty. */
export interface InvalidColumn {
  readonly violations: readonly Message[];
}

/**
 * Resolves the datapath of a column.
 * @param root   type of the items; the datapath may leave out the name of this type
 * @param model  with the form items of the datapath, see `modelForTexts`
 * Source: docs/reference/layouts.md.
 */
export function readLayoutColumn(
  root: ObjectType,
  text: string,
  model: DomainModel = objectModel,
): LayoutColumn | InvalidColumn {
  try {
    const resolved = resolveDatapath(parseDatapath(text, model), model, root.name, { rootOptional: true });
    return resolved.end.kind === 'collection' ? toFormColumn(root, resolved, model) : toColumn(root, resolved);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { violations: error.violations.map(violationMessage) };
  }
}

/** @throws {DatapathError} when the root or a label makes the datapath too long */
function toColumn(root: ObjectType, { text, end, type, many }: ResolvedDatapath): LayoutColumn | InvalidColumn {
  const path = text.slice(root.name.length + 1);
  const target = end.kind === 'reference' ? getObjectType(end.target) : undefined;
  if (target && target.label === undefined) {
    const attribute = `${text}.${Object.keys(target.attributes)[0] ?? ''}`;
    return {
      violations: [message`${text} is an object without a name: give one of its attributes, such as ${attribute}`],
    };
  }
  const value = target?.label === undefined ? path : `${path}.${target.label}`;
  parseDatapath(`${root.name}.${value}`, objectModel);
  const raw = target && 'id' in target.attributes ? `${path}.id` : idOfNamed(root, value);
  return { datapath: text, type, isMany: many, value, ...(raw !== undefined && { raw }) };
}

/**
 * Returns the column for a form item. For a select item, the column shows the labels of the chosen options, with their
 * ids.
 */
function toFormColumn(
  root: ObjectType,
  { text, owner, end, type, many }: ResolvedDatapath,
  model: DomainModel,
): LayoutColumn {
  const target = end.kind === 'collection' ? model.keyedRelation?.(owner, end.key)?.target : undefined;
  const { name, attributes } = getObjectType(target ?? '');
  const endOn = (attribute: string): ConditionTree.PathEnd => ({
    kind: 'attribute',
    owner: name,
    name: attribute,
    type: attributes[attribute]?.type ?? 'text',
    many: attributes[attribute]?.many ?? false,
  });
  const isChoice = attributes['label'] !== undefined;
  const formItem = { value: endOn(isChoice ? 'label' : 'value'), ...(isChoice && { raw: endOn('option') }) };
  return { datapath: text, type, isMany: many, value: text.slice(root.name.length + 1), formItem };
}

/**
 * When the value is a localised text of a related object, returns the datapath of that object's id: the id is the same
 * in every language.
 */
function idOfNamed(root: ObjectType, value: string): string | undefined {
  const { attribute, owner } = attributeAt(root, value);
  return attribute.isLocalised && value.includes('.') && 'id' in owner.attributes
    ? value.replace(/\w+$/, 'id')
    : undefined;
}
