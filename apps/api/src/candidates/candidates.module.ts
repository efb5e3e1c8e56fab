import { candidates } from '@ats/domain';
import { Controller, Module } from '@nestjs/common';
import { HistoryRoutes } from '../history/history-routes.js';
import { pathsOf, ResourceController } from '../http/resource-controller.js';
import { ResourceReader } from '../http/resource-reader.js';
import { UnitOfWork } from '../http/unit-of-work.js';
import { CandidatesService } from './candidates.service.js';

@Controller(pathsOf(candidates))
class CandidatesController extends ResourceController(candidates, { verbs: ['create', 'replace', 'remove'] }) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: CandidatesService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(candidates))
class CandidateHistoryController extends HistoryRoutes(candidates, 'candidate') {}

@Module({
  controllers: [CandidatesController, CandidateHistoryController],
  providers: [CandidatesService],
  exports: [CandidatesService],
})
export class CandidatesModule {}
