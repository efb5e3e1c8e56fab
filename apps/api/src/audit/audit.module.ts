import { auditEntries } from '@ats/domain';
import { Global, Module } from '@nestjs/common';
import { resourceModule } from '../collections/resource-module.js';
import { AuditLog } from './audit-log.js';

/** Serves the audit log, which is read-only, and provides the `AuditLog` of this process to every module. */
@Global()
@Module({
  imports: [resourceModule(auditEntries, { verbs: [] })],
  providers: [AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
