import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';

/** Provides the `AuditLog` of this process to every module. */
@Global()
@Module({ providers: [AuditLog], exports: [AuditLog] })
export class AuditModule {}
