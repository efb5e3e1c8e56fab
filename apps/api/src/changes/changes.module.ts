import { Module } from '@nestjs/common';
import { FeedsModule } from '../feeds/feeds.module.js';
import { ChangePages } from './change-pages.js';
import { ChangePublisher } from './change-publisher.js';
import { ChangeTokens } from './change-tokens.js';
import { ChangeWatch } from './change-watch.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({
  imports: [FeedsModule],
  controllers: [ChangesController],
  providers: [ChangePages, ChangePublisher, ChangesService, ChangeTokens, ChangeWatch],
})
export class ChangesModule {}
