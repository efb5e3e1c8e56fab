import { Module } from '@nestjs/common';
import {
  ApplicationScoreController,
  EventApplicationScoreController,
  EventRulePreviewController,
  EventScoresController,
  VacancyRulePreviewController,
  VacancyScoresController,
} from './scoring.controller.js';

@Module({
  controllers: [
    ApplicationScoreController,
    EventApplicationScoreController,
    VacancyScoresController,
    EventScoresController,
    VacancyRulePreviewController,
    EventRulePreviewController,
  ],
})
export class ScoringModule {}
