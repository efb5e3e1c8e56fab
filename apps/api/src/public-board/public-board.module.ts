import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { BoardApplications } from './board-applications.js';
import { BoardDocuments } from './board-documents.js';
import { BoardDocumentsController } from './board-documents.controller.js';
import { BoardUploadsController } from './board-uploads.controller.js';
import { BoardReader } from './board-reader.js';
import { BoardTokens } from './board-tokens.js';
import { Challenges } from './challenges.js';
import { FeedsController } from './feeds.controller.js';
import { PublicBoardController } from './public-board.controller.js';

@Module({
  imports: [DocumentsModule],
  controllers: [PublicBoardController, BoardDocumentsController, BoardUploadsController, FeedsController],
  providers: [BoardApplications, BoardDocuments, BoardReader, BoardTokens, Challenges],
})
export class PublicBoardModule {}
