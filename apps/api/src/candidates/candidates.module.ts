import { Module } from '@nestjs/common';
import { ActivationPageController } from './activation-page.controller.js';
import {
  AnonymiseCandidateController,
  CandidateHistoryController,
  CandidatesController,
} from './candidates.controller.js';
import { CandidatesService } from './candidates.service.js';

@Module({
  controllers: [
    ActivationPageController,
    CandidatesController,
    CandidateHistoryController,
    AnonymiseCandidateController,
  ],
  providers: [CandidatesService],
})
export class CandidatesModule {}
