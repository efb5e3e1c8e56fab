import { Module } from '@nestjs/common';
import { SystemsController } from './systems.controller.js';

@Module({ controllers: [SystemsController] })
export class SystemsModule {}
