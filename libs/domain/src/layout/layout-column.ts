import { DatapathError, formatFault, parseDatapath, resolveDatapath, type ResolvedDatapath } from '@ats/datapath';
import { attributeAt } from '../model/attribute-at.js';
import { getObjectType, objectModel } from '../model/object-model.js';
import { type ObjectType } from '../model/object-type.js';

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
}

/** What is wrong with a column, for people; never empty. */
export interface FaultyColumn {
  readonly faults: readonly string[];
}

/**
 * Reads the datapath of a column.
 * @param root  type of the items, whose name may be left out
 * Source: SPEC.md 2.6, CONTRACT.md 4 and 11.
 */
export function readLayoutColumn(root: ObjectType, text: string): LayoutColumn | FaultyColumn {
  try {
    return toColumn(root, resolveDatapath(parseDatapath(text), objectModel, root.name, { rootOptional: true }));
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { faults: error.faults.map(formatFault) };
  }
}

/** @throws {DatapathError} when the root or a label makes the datapath longer than one may be */
function toColumn(root: ObjectType, { text, end, type, many }: ResolvedDatapath): LayoutColumn | FaultyColumn {
  const path = text.slice(root.name.length + 1);
  const target = end.kind === 'reference' ? getObjectType(end.target) : undefined;
  if (target && target.label === undefined) return { faults: [`${text} is an object that has no name: write an attribute of it, such as ${text}.${Object.keys(target.attributes)[0] ?? ''}`] };
  const value = target?.label === undefined ? path : `${path}.${target.label}`;
  parseDatapath(`${root.name}.${value}`);
  const raw = target && 'id' in target.attributes ? `${path}.id` : idOfNamed(root, value);
  return { datapath: text, type, isMany: many, value, ...(raw !== undefined && { raw }) };
}

/** For the localised text of a related object: what tells that object in every language. */
function idOfNamed(root: ObjectType, value: string): string | undefined {
  const { attribute, owner } = attributeAt(root, value);
  return attribute.isLocalised && value.includes('.') && 'id' in owner.attributes ? value.replace(/\w+$/, 'id') : undefined;
}
