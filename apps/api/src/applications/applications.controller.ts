import { applications, eventApplications } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { HistoryFeedRoutes, HistoryRoutes } from '../history/history-routes.js';
import { StateRoutes } from '../states/state-routes.js';
import { applicationSchema, MODE_SCOPES, newApplicationSchema } from './application.dto.js';
import { applicationWrites } from './application-writes.js';
import { CopyRoutes } from './copy-routes.js';

const options = {
  verbs: ['create', 'replace', 'remove'],
  schema: applicationSchema,
  createBody: { schema: newApplicationSchema, valueScopes: MODE_SCOPES },
  alternatives: { user_id: 'candidate' },
  errorCodes: ['opportunity_not_open', 'not_visible', 'form_hidden'],
  example: {
    opportunity_id: 12,
    candidate: { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
    source: 'careers page',
    tags: ['referral'],
  },
  notes: {
    create: `Name an existing candidate by \`user_id\`, or send a new \`candidate\`. The application, the new candidate
and \`form_values\` are written in one transaction. One answer reports all violations, including those of the candidate
and of the form values. A request with a violation stores nothing.

\`on_existing_candidate\` decides what happens when a candidate with this e-mail address exists. With \`use\`, the
status, headers and properties of the answer and its time do not tell a known address from a new one, so that a careers
page may forward it. A credential without the scope \`candidates:read\` then gets the properties \`id\`, \`uuid\`,
\`url\`, \`created_dt\` and \`updated_dt\` only.

A candidate can have one live application to each vacancy or event. An application is live in every state except
\`rejected\`, \`withdrawn\`, \`declined\`, \`cancelled\` and \`no_show\`. The scope \`applications:create\` is enough to
create the new \`candidate\`, so a careers page needs no other scope.`,
    replace: `Properties that the body leaves out get their default. An application that moves to another opportunity
loses its score until it is scored again.`,
  },
} as const;

@Controller(pathsOf(applications))
export class ApplicationsController extends ResourceController(applications, options) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, applicationWrites(applications));
  }
}

@Controller(pathsOf(applications))
export class ApplicationStateController extends StateRoutes(applications, 'process_state', 'in_review') {}

@Controller(pathsOf(applications))
export class ApplicationHistoryController extends HistoryRoutes(applications, 'application') {}

@Controller(pathsOf(applications))
export class ApplicationFeedController extends HistoryFeedRoutes(applications) {}

@Controller(pathsOf(eventApplications))
export class EventApplicationsController extends ResourceController(eventApplications, options) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
    super(reader, unitOfWork, applicationWrites(eventApplications));
  }
}

@Controller(pathsOf(eventApplications))
export class EventApplicationStateController extends StateRoutes(eventApplications, 'process_state', 'confirmed') {}

@Controller(pathsOf(eventApplications))
export class EventApplicationHistoryController extends HistoryRoutes(eventApplications, 'application') {}

@Controller(pathsOf(eventApplications))
export class EventApplicationFeedController extends HistoryFeedRoutes(eventApplications) {}

@Controller(pathsOf(applications))
export class ApplicationCopyController extends CopyRoutes(applications) {}

@Controller(pathsOf(eventApplications))
export class EventApplicationCopyController extends CopyRoutes(eventApplications) {}
