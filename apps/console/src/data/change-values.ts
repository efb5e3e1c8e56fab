/**
 * Maps names of properties to collections. The history has only the id of the objects that these properties refer to.
 */
const COLLECTIONS: Readonly<Record<string, string>> = {
  communication: 'communications',
  owner: 'recruiters',
  posting: 'postings',
  user: 'candidates',
};

/** An object that a changed value refers to. */
export interface Reference {
  readonly url: string;
  /** The name of the object's collection. Empty when the changed property does not tell it; `url` may then tell it. */
  readonly collection: string;
  readonly id: number;
}

/**
 * Returns the object that a changed value refers to. Undefined for a value that refers to no object.
 * @param name  the name of the changed property
 * @param own  the name of the collection to which the item with the history belongs
 */
export function referenceOf(value: unknown, name: string, own: string): Reference | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, url } = value as { readonly id?: unknown; readonly url?: unknown };
  if (typeof id !== 'number') return undefined;
  const isOwn = name === 'copied_to' || name === 'copied_from';
  return { id, url: typeof url === 'string' ? url : '', collection: isOwn ? own : (COLLECTIONS[name] ?? '') };
}

/** Splits the path of a changed value into its names: `['form_values', '12']` for `/form_values/12`. */
export const namesIn = (path: string): readonly string[] => path.split('/').slice(1);
