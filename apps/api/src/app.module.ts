import { createRequire } from 'node:module';
import { entitySchemas, migrations } from '@ats/domain';
import { DatabaseModule, EnvironmentModule, TracingModule } from '@ats/nest-app';
import { type DynamicModule, Module } from '@nestjs/common';
import { type AppOptions } from './app-options.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { CopyModule } from './applications/copy.module.js';
import { CandidatesModule } from './candidates/candidates.module.js';
import { CollectionsModule } from './collections/collections.module.js';
import { CommunicationsModule } from './communications/communications.module.js';
import { type Environment } from './config/env.js';
import { RedisModule } from './config/redis.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { DocsModule } from './docs/docs.module.js';
import { FormsModule } from './forms/forms.module.js';
import { HealthModule } from './health/health.module.js';
import { HistoryModule } from './history/history.module.js';
import { JobBoardsModule } from './job-boards/job-boards.module.js';
import { LayoutsModule } from './layouts/layouts.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { MessageTemplatesModule } from './message-templates/message-templates.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OpportunitiesModule } from './opportunities/opportunities.module.js';
import { PostingsModule } from './postings/postings.module.js';
import { QuickSearchModule } from './quick-search/quick-search.module.js';
import { RecruitersModule } from './recruiters/recruiters.module.js';
import { RequestModule } from './request/request.module.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { ScoringModule } from './scoring/scoring.module.js';
import { SearchesModule } from './searches/searches.module.js';
import { SelectionsModule } from './selections/selections.module.js';
import { StatesModule } from './states/states.module.js';
import { SystemsModule } from './systems/systems.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static with(environment: Environment, options: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        EnvironmentModule.with(environment),
        TracingModule.with({ serviceName: 'ats-api', require: createRequire(import.meta.url) }),
        DatabaseModule.with({ applicationName: 'ats-api', entities: entitySchemas(), migrations }),
        RedisModule,
        LimitsModule,
        RequestModule.with(options),
        CollectionsModule,
        HealthModule,
        StatesModule,
        HistoryModule,
        ApplicationsModule,
        CandidatesModule,
        CommunicationsModule,
        CopyModule,
        CredentialsModule,
        DocsModule,
        FormsModule,
        JobBoardsModule,
        LayoutsModule,
        MessageTemplatesModule,
        MetricsModule,
        NotificationsModule,
        OpenApiModule,
        OpportunitiesModule,
        PostingsModule,
        QuickSearchModule,
        RecruitersModule,
        SchemasModule,
        ScoringModule,
        SearchesModule,
        SelectionsModule,
        SystemsModule,
        UsersModule,
      ],
    };
  }
}
