import { Module } from '@nestjs/common';
import { DatapathsController } from './datapaths.controller.js';
import { EventTypesController } from './event-types.controller.js';
import { ProcessesController } from './processes.controller.js';

@Module({ controllers: [DatapathsController, EventTypesController, ProcessesController] })
export class CataloguesModule {}
