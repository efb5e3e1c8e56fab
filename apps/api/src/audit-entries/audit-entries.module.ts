import { auditEntries } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

/** Serves the audit log, which clients can only read. The service itself adds the entries. */
export const AuditEntriesModule = resourceModule(auditEntries, { verbs: [] });
