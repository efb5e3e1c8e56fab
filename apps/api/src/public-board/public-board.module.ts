import { Module } from '@nestjs/common';
import { BoardApplications } from './board-applications.js';
import { BoardReader } from './board-reader.js';
import { FeedsController } from './feeds.controller.js';
import { PublicBoardController } from './public-board.controller.js';

@Module({
  controllers: [PublicBoardController, FeedsController],
  providers: [BoardApplications, BoardReader],
})
export class PublicBoardModule {}
