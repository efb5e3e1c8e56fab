import { hasRichText, readItem, type Resource } from '@ats/domain';
import { type Work } from './unit-of-work.js';

/** An item in the forms that clients know it in: its rich texts as plain text, and as HTML. Each has an `ETag` of its own. */
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
