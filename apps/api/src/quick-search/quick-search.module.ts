import { Module } from '@nestjs/common';
import { QuickSearchController } from './quick-search.controller.js';
import { QuickSearchService } from './quick-search.service.js';

@Module({ controllers: [QuickSearchController], providers: [QuickSearchService] })
export class QuickSearchModule {}
