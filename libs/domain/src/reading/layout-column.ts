import { DatapathError, formatFault, parseDatapath, resolveDatapath, type ResolvedDatapath } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type PathEnd } from '@ats/search-query';
import { attributeAt } from '../objects/attribute-at.js';
import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** One column of a layout, understood. */
export interface LayoutColumn {
  /** Canonical, with the root's name. */
  readonly datapath: string;
  readonly type: ResolvedDatapath['type'];
  readonly isMany: boolean;
  /** The datapath of what a person reads, without the root's name: of an object its label. */
  readonly value: string;
  /** The datapath of the id behind it, where there is one. */
  readonly raw?: string;
  /** Of a form item: what `value` ends on, and what tells the chosen options. */
  readonly formItem?: { readonly value: PathEnd; readonly raw?: PathEnd };
}

/** What a layout adds to the items of its collection. */
export interface Layout {
  readonly columns: readonly LayoutColumn[];
}

/** Every datapath that a layout reads, without the root's name: what a client must be allowed to read. CONTRACT.md 2. */
export const layoutDatapaths = ({ columns }: Layout): readonly string[] =>
  columns.flatMap(({ value, raw }) => (raw === undefined ? [value] : [value, raw]));

/** The same for layouts that read the same, and changes with every edit of a layout that matters to a statement. */
export const layoutKey = ({ columns }: Layout): string =>
  columns
    .map(({ datapath, formItem }) =>
      formItem?.value.kind === 'attribute' ? `${datapath} ${formItem.value.owner}` : datapath,
    )
    .join(' ');

/** What is wrong with a column, for people; never empty. */
export interface FaultyColumn {
  readonly faults: readonly Message[];
}

/**
 * Reads the datapath of a column.
 * @param root  type of the items, whose name may be left out
 * @param model  with the form items that the text names, see `modelForTexts`
 * Source: SPEC.md 2.6, CONTRACT.md 4 and 11.
 */
export function readLayoutColumn(
  root: ObjectType,
  text: string,
  model: DomainModel = objectModel,
): LayoutColumn | FaultyColumn {
  try {
    const resolved = resolveDatapath(parseDatapath(text), model, root.name, { rootOptional: true });
    return resolved.end.kind === 'form_item' ? toFormColumn(root, resolved, model) : toColumn(root, resolved);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { faults: error.faults.map(formatFault) };
  }
}

/** @throws {DatapathError} when the root or a label makes the datapath longer than one may be */
function toColumn(root: ObjectType, { text, end, type, many }: ResolvedDatapath): LayoutColumn | FaultyColumn {
  const path = text.slice(root.name.length + 1);
  const target = end.kind === 'reference' ? getObjectType(end.target) : undefined;
  if (target && target.label === undefined) {
    const attribute = `${text}.${Object.keys(target.attributes)[0] ?? ''}`;
    return { faults: [message`${text} is an object without a name: give one of its attributes, such as ${attribute}`] };
  }
  const value = target?.label === undefined ? path : `${path}.${target.label}`;
  parseDatapath(`${root.name}.${value}`);
  const raw = target && 'id' in target.attributes ? `${path}.id` : idOfNamed(root, value);
  return { datapath: text, type, isMany: many, value, ...(raw !== undefined && { raw }) };
}

/** The value of a form item; of a select what a person reads of the options, and their ids. */
function toFormColumn(
  root: ObjectType,
  { text, owner, end, type, many }: ResolvedDatapath,
  model: DomainModel,
): LayoutColumn {
  const target = end.kind === 'form_item' ? model.formRelation?.(owner, end.index)?.target : undefined;
  const { name, attributes } = getObjectType(target ?? '');
  const endOn = (attribute: string): PathEnd => ({
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

/** For the localised text of a related object: what tells that object in every language. */
function idOfNamed(root: ObjectType, value: string): string | undefined {
  const { attribute, owner } = attributeAt(root, value);
  return attribute.isLocalised && value.includes('.') && 'id' in owner.attributes
    ? value.replace(/\w+$/, 'id')
    : undefined;
}
