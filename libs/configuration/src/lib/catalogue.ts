import { type DescribedProcess } from './process.js';
import { type Variable } from './variable.js';

/** A variable and the processes that read it. */
export interface CatalogueEntry {
  readonly name: string;
  readonly variable: Variable;
  /** Names, in the order of the processes. */
  readonly readBy: readonly string[];
}

/**
 * The variables of several processes, in the order of their lists.
 * @throws {Error} when two processes declare a variable twice: once for both is the rule
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

/** What holds when a variable is not set, in words: `required`, its default, or what stands for it. */
export function whenNotSet({
  default: text,
  whenAbsent,
}: Variable): { readonly kind: 'required' } | { readonly kind: 'default' | 'absent'; readonly text: string } {
  if (text !== undefined) return { kind: 'default', text };
  return whenAbsent === undefined ? { kind: 'required' } : { kind: 'absent', text: whenAbsent };
}
