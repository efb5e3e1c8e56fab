import { customElement } from 'lit/decorators.js';
import { CollectionView } from '../data/collection-view.js';

/** Shows the audit log: the table that every collection has, at an address of its own. */
@customElement('ats-audit-view')
export class AuditView extends CollectionView {
  protected override get collectionName(): string {
    return 'audit_entries';
  }
}
