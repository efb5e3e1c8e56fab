import { Module } from '@nestjs/common';
import { ConfigSearchesService } from './config-searches.service.js';
import { SavedSearchesService } from './saved-searches.service.js';
import { ConfigSearchesController, SavedSearchesController } from './searches.controller.js';

@Module({
  controllers: [SavedSearchesController, ConfigSearchesController],
  providers: [SavedSearchesService, ConfigSearchesService],
})
export class SearchesModule {}
