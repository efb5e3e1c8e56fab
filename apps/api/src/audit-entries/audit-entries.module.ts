import { auditEntries } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** The audit log is read-only. The service adds its entries. */
export const AuditEntriesModule = resourceModule(auditEntries, { verbs: [] });
