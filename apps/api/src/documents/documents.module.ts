import { ENVIRONMENT } from '@ats/nest-app';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ClamavScanner } from './clamav-scanner.js';
import { DocumentLinks } from './document-links.js';
import { DocumentScanner } from './document-scanner.js';
import { DocumentScans } from './document-scans.js';
import { DocumentStore } from './document-store.js';
import { DocumentSweeper } from './document-sweeper.js';
import { DocumentUploads } from './document-uploads.js';
import { DocumentsController } from './documents.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { FolderStore } from './folder-store.js';
import { ResumableUploads } from './resumable-uploads.js';
import { ResumableUploadsController } from './resumable-uploads.controller.js';
import { S3Store } from './s3-store.js';

@Module({
  exports: [DocumentUploads, ResumableUploads],
  controllers: [DocumentsController, DownloadsController, ResumableUploadsController],
  providers: [
    DocumentLinks,
    DocumentUploads,
    ResumableUploads,
    DocumentScans,
    DocumentSweeper,
    {
      provide: DocumentScanner,
      inject: [ENVIRONMENT],
      useFactory: ({ CLAMAV_URL }: Environment) => (CLAMAV_URL ? new ClamavScanner(CLAMAV_URL) : undefined),
    },
    {
      provide: DocumentStore,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) =>
        environment.DOCUMENTS_STORE === 's3' ? new S3Store(environment) : new FolderStore(environment.DOCUMENTS_FOLDER),
    },
  ],
})
export class DocumentsModule {}
