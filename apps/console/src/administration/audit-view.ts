import { customElement } from 'lit/decorators.js';
import { CollectionView } from '../data/collection-view.js';

/** The audit log: the same table as every collection, under an address of its own. */
@customElement('ats-audit-view')
export class AuditView extends CollectionView {
  protected override get collectionName(): string {
    return 'audit_entries';
  }
}
