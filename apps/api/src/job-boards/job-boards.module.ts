import { Module } from '@nestjs/common';
import { JobBoardsController } from './job-boards.controller.js';
import { JobBoardsService } from './job-boards.service.js';

@Module({ controllers: [JobBoardsController], providers: [JobBoardsService] })
export class JobBoardsModule {}
