/** The collections of the objects that a history names only by their ids, by the name of the property. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  communication: 'communications',
  owner: 'recruiters',
  posting: 'postings',
  user: 'candidates',
};

/** An object that a changed value refers to. */
export interface Reference {
  readonly url: string;
  /** The name of its collection. Empty when the value has a `url`, or when the collection is not known. */
  readonly collection: string;
  readonly id: number;
}

/**
 * Returns the object that a changed value refers to. Undefined for any other value.
 * @param name  the name of the changed property
 * @param own  the collection of the item that has the history
 */
export function referenceOf(value: unknown, name: string, own: string): Reference | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, url } = value as { readonly id?: unknown; readonly url?: unknown };
  if (typeof id !== 'number') return undefined;
  const isOwn = name === 'copied_to' || name === 'copied_from';
  return { id, url: typeof url === 'string' ? url : '', collection: isOwn ? own : (COLLECTIONS[name] ?? '') };
}

/** Returns the names in the path of a changed value: `['form_values', '12']` for `/form_values/12`. */
export const namesIn = (path: string): readonly string[] => path.split('/').slice(1);
