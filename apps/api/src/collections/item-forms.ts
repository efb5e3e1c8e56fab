import { hasRichText, readItem, type Resource } from '@ats/domain';
import { type Work } from './unit-of-work.js';

/** The representations of an item whose `ETag` a client may send: with rich texts as plain text, and as HTML. */
export async function itemForms(
  { transaction, settings }: Work,
  resource: Resource,
  id: number,
  ownerId?: number,
): Promise<readonly string[]> {
  const plain = await readItem(transaction, resource, id, settings, ownerId);
  return hasRichText(resource.type)
    ? [plain, await readItem(transaction, resource, id, { ...settings, richText: 'html' }, ownerId)]
    : [plain];
}
