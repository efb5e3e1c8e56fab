import { type Message, message } from '@ats/message';
import { type Datapath } from '../syntax/datapath.js';
import { type ObjectModel, type ObjectShape } from './model.js';
import { datapathOfRepresented, datapathOfValue, representedNames } from './represented.js';
import { findSimilar } from './suggest.js';

/** The place of an unknown name in a datapath. */
export interface NamePlace {
  /** The object types from the root to `shape`, the type that lacks the name. */
  readonly shapes: readonly ObjectShape[];
  readonly shape: ObjectShape;
  readonly model: ObjectModel;
}

export function namesOf(shape: ObjectShape): string[] {
  return [...Object.keys(shape.attributes), ...Object.keys(shape.relations), ...(shape.collections ?? [])];
}

/**
 * Suggests another name for an unknown one: the datapath of a value that a representation shows under the unknown name,
 * or a name of the object with a similar spelling.
 */
export function nameHint({ names }: Datapath, index: number, { shapes, shape, model }: NamePlace): Message | undefined {
  const fields = model.representation?.(shape.name) ?? [];
  for (const [passed, { name }] of [...shapes].reverse().entries()) {
    const [before, rest] = [names.slice(0, index - passed), names.slice(index - passed)];
    const meant =
      passed === 0 ? datapathOfRepresented(rest, fields) : datapathOfValue(rest, model.representation?.(name) ?? []);
    if (meant !== undefined) return message`did you mean "${[...before, meant].join('.')}"?`;
  }
  const known = namesOf(shape);
  const similar = findSimilar(names[index] ?? '', [
    ...known,
    ...fields.map(({ pointer }) => representedNames(pointer)[0] ?? ''),
  ]);
  if (similar === undefined) return undefined;
  const instead = known.includes(similar) ? similar : (datapathOfRepresented([similar], fields) ?? similar);
  return message`did you mean "${instead}"?`;
}
