import { postings } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { HistoryRoutes } from '../history/history-routes.js';
import { pathsOf, ResourceController } from '../http/resource-controller.js';
import { ResourceReader } from '../http/resource-reader.js';
import { UnitOfWork } from '../http/unit-of-work.js';
import { PostingsService } from './postings.service.js';

@Controller(pathsOf(postings))
class PostingsController extends ResourceController(postings, { verbs: ['create', 'replace', 'remove'] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: PostingsService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(postings))
class PostingHistoryController extends HistoryRoutes(postings, 'posting') {}

@Module({ controllers: [PostingsController, PostingHistoryController], providers: [PostingsService] })
export class PostingsModule {}
