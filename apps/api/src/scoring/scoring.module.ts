import { Module } from '@nestjs/common';
import {
  ApplicationScoreController,
  EventApplicationScoreController,
  EventScoresController,
  VacancyScoresController,
} from './scoring.controller.js';

@Module({
  controllers: [
    ApplicationScoreController,
    EventApplicationScoreController,
    VacancyScoresController,
    EventScoresController,
  ],
})
export class ScoringModule {}
