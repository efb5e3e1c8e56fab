import { Module } from '@nestjs/common';
import { PostingHistoryController, PostingsController } from './postings.controller.js';
import { PostingsService } from './postings.service.js';

@Module({ controllers: [PostingsController, PostingHistoryController], providers: [PostingsService] })
export class PostingsModule {}
