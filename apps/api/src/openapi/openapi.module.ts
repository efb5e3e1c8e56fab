import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiController } from './openapi.controller.js';
import { Routes } from './routes.js';

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController], providers: [Routes] })
export class OpenApiModule {}
