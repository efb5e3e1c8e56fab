import { type RepresentedValue } from './model.js';

/** Splits the pointer of a represented value into names, without the `*` of lists. */
export const representedNames = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .filter((name) => name !== '*');

/**
 * Finds the datapath of a value that a client named by its place in the JSON of an object. For example,
 * `process_state.state` stands for `main_process_state.state.state`. When the last names are unknown, returns the
 * datapath of the object before them.
 * @param names the names of the text after the name of the represented object
 */
export function datapathOfRepresented(
  names: readonly string[],
  fields: readonly RepresentedValue[],
): string | undefined {
  for (let count = names.length; count > 0; count--) {
    const below = fields.filter(({ pointer }) => startsWith(representedNames(pointer), names.slice(0, count)));
    const found = below.find(({ pointer }) => representedNames(pointer).length === count);
    if (found) return found.datapath;
    const common = commonNames(below.map(({ datapath }) => datapath.split('.').slice(0, -1)));
    if (common.length > 0) return common.join('.');
  }
  return undefined;
}

/** Like `datapathOfRepresented`, but finds only a value whose pointer has exactly these names. */
export const datapathOfValue = (names: readonly string[], fields: readonly RepresentedValue[]): string | undefined =>
  fields.find(({ pointer }) => representedNames(pointer).join('.') === names.join('.'))?.datapath;

const startsWith = (names: readonly string[], start: readonly string[]): boolean =>
  start.every((name, index) => names[index] === name);

/** Returns the longest list of names with which all paths begin. */
function commonNames([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const differs = first.findIndex((name, index) => others.some((path) => path[index] !== name));
  return differs < 0 ? first : first.slice(0, differs);
}
