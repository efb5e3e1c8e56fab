import { ENVIRONMENT } from '@ats/nest-app';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { DocumentLinks } from './document-links.js';
import { DocumentStore } from './document-store.js';
import { DocumentSweeper } from './document-sweeper.js';
import { DocumentUploads } from './document-uploads.js';
import { DocumentsController } from './documents.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { FolderStore } from './folder-store.js';

@Module({
  controllers: [DocumentsController, DownloadsController],
  providers: [
    DocumentLinks,
    DocumentUploads,
    DocumentSweeper,
    {
      provide: DocumentStore,
      inject: [ENVIRONMENT],
      useFactory: ({ DOCUMENTS_FOLDER }: Environment) => new FolderStore(DOCUMENTS_FOLDER),
    },
  ],
})
export class DocumentsModule {}
