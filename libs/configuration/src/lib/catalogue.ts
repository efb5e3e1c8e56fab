import { type DescribedProcess } from './process.js';
import { type Variable } from './variable.js';

/** A variable and the processes that read it. */
export interface CatalogueEntry {
  /** The name of the variable. */
  readonly name: string;
  /** The declaration of the variable. */
  readonly variable: Variable;
  /** The names of the processes that read the variable, in the order of the given processes. */
  readonly readBy: readonly string[];
}

/**
 * Collects the variables of several processes, each once. The variables of the first process come first.
 * @throws {Error} when two processes declare the same variable differently
 */
export function catalogueOf(processes: readonly DescribedProcess[]): readonly CatalogueEntry[] {
  const entries = new Map<string, { name: string; variable: Variable; readBy: string[] }>();
  for (const process of processes) {
    for (const [name, variable] of Object.entries(process.variables)) {
      const entry = entries.get(name) ?? { name, variable, readBy: [] };
      if (entry.variable !== variable)
        throw new Error(`${name} is declared twice: for ${entry.readBy.join(', ')}, and for ${process.name}`);
      entry.readBy.push(process.name);
      entries.set(name, entry);
    }
  }
  return [...entries.values()];
}

/**
 * Says what applies when a variable is not set: it is required, has a default, or has the effect that `whenAbsent`
 * describes.
 */
export function whenNotSet({
  default: text,
  whenAbsent,
}: Variable): { readonly kind: 'required' } | { readonly kind: 'default' | 'absent'; readonly text: string } {
  if (text !== undefined) return { kind: 'default', text };
  return whenAbsent === undefined ? { kind: 'required' } : { kind: 'absent', text: whenAbsent };
}
