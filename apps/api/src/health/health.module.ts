import { Module } from '@nestjs/common';
import { DatabaseRole } from './database-role.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({ controllers: [HealthController], providers: [HealthService, DatabaseRole] })
export class HealthModule {}
