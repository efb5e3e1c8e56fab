import { CursorCodec } from '@ats/pagination';
import { ENVIRONMENT } from '@ats/nest-app';
import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { type Environment } from '../config/env.js';
import { BoardApplications } from './board-applications.js';
import { BoardReader } from './board-reader.js';
import { FeedsController } from './feeds.controller.js';
import { PublicBoardController } from './public-board.controller.js';

@Module({
  imports: [CollectionsModule],
  controllers: [PublicBoardController, FeedsController],
  providers: [
    BoardApplications,
    BoardReader,
    {
      provide: CursorCodec,
      inject: [ENVIRONMENT],
      useFactory: ({ SECRET_KEY, SECRET_KEY_PREVIOUS }: Environment) =>
        new CursorCodec(SECRET_KEY, SECRET_KEY_PREVIOUS),
    },
  ],
})
export class PublicBoardModule {}
