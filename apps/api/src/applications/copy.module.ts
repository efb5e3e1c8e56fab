import { Module } from '@nestjs/common';
import { ApplicationCopyController, EventApplicationCopyController } from './copy.controller.js';

@Module({ controllers: [ApplicationCopyController, EventApplicationCopyController] })
export class CopyModule {}
