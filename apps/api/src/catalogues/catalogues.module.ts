import { Module } from '@nestjs/common';
import { EventTypesController } from './event-types.controller.js';
import { ProcessesController } from './processes.controller.js';

@Module({ controllers: [EventTypesController, ProcessesController] })
export class CataloguesModule {}
