import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Routes } from '../openapi/routes.js';
import { ScopesController } from './scopes.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [ScopesController], providers: [Routes] })
export class ScopesModule {}
