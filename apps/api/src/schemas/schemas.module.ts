import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Resources } from './resources.js';
import { SchemasController } from './schemas.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [SchemasController], providers: [Resources] })
export class SchemasModule {}
