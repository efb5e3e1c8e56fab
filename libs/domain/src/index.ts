export { keyRequirements, sharedVariables } from './environment/shared-variables.js';
export { tlsRequirements, tlsVariables } from './environment/tls-variables.js';
export { tracingVariables } from './environment/tracing-variables.js';
export { defineAppList } from './vocabulary/app-list.js';
export { DATAPATH_SYNTAX, formDataOf } from './vocabulary/form-data.js';
export { type Language, LANGUAGES } from './vocabulary/languages.js';
export { CATALOGUES, localise } from './texts/localise.js';
export { localisedValue, type TextLanguages } from './vocabulary/localised-text.js';
export { type Relation } from './vocabulary/relation.js';
export { API_PREFIX, resourceUrl } from './vocabulary/resource-url.js';
export {
  allResources,
  collectionNames,
  findResource,
  getResource,
  type Resource,
  type RowSource,
} from './vocabulary/resource.js';
export { openList } from './vocabulary/open-list.js';
export { type RichTextForm } from './vocabulary/rich-text.js';
export { type ApiVersion, type JsonSchema } from './vocabulary/settings-property.js';
export {
  boundedViolations,
  type ErrorCodes,
  MAX_VIOLATIONS,
  type ExistingObject,
  NotFoundError,
  UniqueConflictError,
  ValidationError,
  type ViolatedItem,
  type Violation,
  VIOLATION_CODES,
  type ViolationCode,
} from './vocabulary/validation-error.js';
export {
  cleanText,
  filledRichTextSchema,
  idSchema,
  integerSchema,
  momentSchema,
  oneOf,
} from './vocabulary/value-schema.js';
export { auditEntries } from './objects/audit-entry.model.js';
export { applications, eventApplications } from './objects/application.model.js';
export { type AttemptError } from './objects/attempt-errors.js';
export {
  COMMUNICATION_TYPES,
  communications,
  type CommunicationType,
  type Direction,
  DIRECTIONS,
  type FailedReason,
  subjectSchema,
} from './objects/communication.model.js';
export { addressCheck } from './objects/allowed-network.js';
export { credentials } from './objects/credential.model.js';
export { DOCUMENT_KINDS, type DocumentKind, documents } from './objects/document.model.js';
export { cleanDocumentName, documentNameSchema } from './objects/document-name.js';
export { notificationDeliveries, REDELIVERY_ERROR_CODES } from './objects/delivery.model.js';
export { isAboutItself, OPERATOR_SUBJECTS } from './objects/event-subjects.js';
export { EVENT_ROOTS, EVENT_TYPES, type EventSubject, type EventType, eventTypeText } from './objects/event-types.js';
export { notificationEvents } from './objects/event.model.js';
export { type FormOwner, formValuesTable } from './objects/form-value.model.js';
export { FORM_VALUES_ERROR_CODES, forms } from './objects/form.model.js';
export { clientCertificates, MAX_PEM_LENGTH } from './objects/client-certificate.model.js';
export { jobBoards } from './objects/job-board.model.js';
export { layouts } from './objects/layout.model.js';
export { messageTemplates } from './objects/message-template.model.js';
export { notificationEndpoints } from './objects/notification-endpoint.model.js';
export { notificationSubscriptions, notificationTopics } from './objects/notification.model.js';
export { describedValues } from './objects/closed-values.js';
export { type DomainModel, getObjectType, objectModel } from './objects/object-model.js';
export { events, vacancies } from './objects/opportunity.model.js';
export { isPersonal } from './objects/personal-datapaths.js';
export { postings } from './objects/posting.model.js';
export { notificationRedeliveries, REDELIVERABLE_STATUSES } from './objects/redelivery.model.js';
export { configSearches, savedSearches } from './objects/search-definition.model.js';
export { selections } from './objects/selection.model.js';
export { KNOWN_PROCESSES, KNOWN_STATES, OUTCOMES, STATE_ERROR_CODES } from './objects/state.model.js';
export { subscriptionUrl } from './objects/subscription-url.js';
export {
  replaceSystem,
  systemViolations,
} from './rules/system/system-settings.js';
export { systems } from './objects/system.model.js';
export { candidates, recruiters, users } from './objects/user.model.js';
export { collectionStatements, type CollectionStatements, type Reads } from './reading/collection-statement.js';
export { type ShownValue } from './reading/form-value.js';
export { type Layout, layoutDatapaths, layoutKey } from './reading/layout-column.js';
export { layoutShowsPersonalData, showsPersonalData } from './reading/personal-data.js';
export { PlanChoice } from './reading/plan-choice.js';
export { QUICK_SEARCH_GROUPS, type QuickSearchGroup } from './reading/quick-search/groups.js';
export {
  type QuickSearchResult,
  quickSearchStatement,
  type QuickSearchStatement,
} from './reading/quick-search/quick-search-statement.js';
export { LAYOUT_DATA } from './reading/layout-sql.js';
export { readItem } from './reading/read-item.js';
export { readExport } from './reading/read-export.js';
export { findItems, type FoundItems, type Page, readGroups, readPage } from './reading/read-page.js';
export {
  objectTypeSchema,
  representationSchema,
  SCHEMA_DIALECT,
  withProperties,
} from './reading/representation-schema.js';
export { reachesLimitedValues, withAllValues } from './reading/limited-values.js';
export { existenceStatement, itemStatement, ownerStatement, type ReadSettings } from './reading/representation-sql.js';
export { rowsOf } from './reading/rows-of.js';
export { requiredScopes } from './reading/required-scopes.js';
export { runIn, type RunQuery } from './reading/run-query.js';
export { searchSubject } from './reading/search-subject.js';
export { bodyViolations } from './writing/body-violations.js';
export { toValidationError } from './writing/constraint-violations.js';
export { entitySchemas } from './writing/entities.js';
export { ISSUE_MESSAGES, issueMessage, unknownPropertyMessage } from './writing/issue-message.js';
export { lockObject } from './writing/lock-object.js';
export { lockForChange } from './writing/event/former-values.js';
export { hasRichText } from './writing/rich-text-columns.js';
export { type DerivedKeys, KeyRing, type KeySettings } from './writing/key-ring.js';
export { SecretBox, SecretBoxError } from './writing/secret-box.js';
export { shownPlaces } from './writing/shown-places.js';
export { deleteObject, deleteUnusedItem, insertObject, refuseUsed, replaceObject } from './writing/write-object.js';
export { optionalProperty, type WriteBody, writeSchema } from './writing/write-schema.js';
export { modelForNewTexts, withoutLists } from './facts/closed-values.js';
export { modelForTexts } from './facts/form-items.js';
export { subjectForTexts } from './facts/search-subject.js';
export { readDatapaths, readDatapathsOfSubjects } from './facts/read-datapaths.js';
export { expressionDatapaths, type MatchingObject, readMatches, readMatchQuery } from './facts/read-matches.js';
export {
  activateAccount,
  ACTIVATION_DAYS,
  cancelActivation,
  openActivation,
  secondsUntilNextLink,
  startActivation,
} from './rules/account-activation/account-activation.js';
export { ACTIVATION_TOKEN_PURPOSE, openActivationToken } from './rules/account-activation/activation-mail.js';
export { isActivationToken } from './rules/account-activation/activation-token.js';
export { recordActivationMails } from './rules/account-activation/activation-mail.js';
export { failExpiredActivationMails } from './rules/account-activation/expired-activation-mails.js';
export { CHANGES, type ChangeKind, followedResources } from './rules/change/followed-resources.js';
export { deleteOldChanges, publishChanges } from './rules/change/publish-changes.js';
export { ChangeLines, type FeedPosition } from './rules/change/change-lines.js';
export {
  type ChangesPage,
  type FeedStart,
  type FeedState,
  findPosition,
  type News,
  readChanges,
  readNews,
  readFeedState,
} from './rules/change/read-changes.js';
export { copyApplication, copyViolations } from './rules/application/copy-application.js';
export { type ApplicationClient } from './rules/application/application-target.js';
export { lockApplicant } from './rules/application/lock-applicant.js';
export {
  applicationViolations,
  createApplication,
  deleteApplication,
  replaceApplication,
} from './rules/application/write-application.js';
export {
  addAuditEntry,
  type AuditEntry,
  type AuditedAction,
  insertEntries,
} from './rules/audit/audit-log.js';
export { dropOldAuditMonths, ensureAuditMonths } from './rules/audit/audit-months.js';
export { addCandidate } from './rules/candidate/add-candidate.js';
export { changeCandidate } from './rules/candidate/change-candidate.js';
export { addCommunication } from './rules/communication/add-communication.js';
export { type AskedCommunication, checkCommunication } from './rules/communication/check-communication.js';
export { markCommunicationFailed, markCommunicationSent } from './rules/communication/communication-status.js';
export { readMergeValues } from './rules/communication/merge-values.js';
export { cancelMails, MAIL_CHANNEL, queueMail } from './rules/communication/outgoing-mails.js';
export {
  type MessageTemplate,
  type MessageTexts,
  readTemplate,
  templateDatapaths,
  templateViolations,
} from './rules/communication/read-template.js';
export { type Recipient } from './rules/communication/recipient.js';
export {
  filledMessage,
  literalMessage,
  type MessageContent,
  renderMessage,
} from './rules/communication/render-message.js';
export { ensureBootstrapCredential } from './rules/credential/bootstrap.js';
export {
  type ActingCredential,
  countLiveChildren,
  isActiveRecruiter,
  isWorkingSql,
  lockCredentials,
  readActingCredential,
  readDescendants,
  readWriters,
  revokeRows,
} from './rules/credential/credential-rows.js';
export {
  type CredentialRights,
  IMPERSONATE,
  type RequestedRights,
  rightsWithin,
} from './rules/credential/credential-rights.js';
export {
  LASTING_DAYS,
  losesLastWriter,
  planRevocation,
  type RevocationRequest,
} from './rules/credential/revocation.js';
export { createToken, NO_DIGEST, type ParsedToken, parseToken } from './rules/credential/token.js';
export {
  deleteFreeDocuments,
  deleteUnclaimedDocuments,
  documentIdsSchema,
  documentViolations,
  MAX_DOCUMENTS,
} from './rules/document/documents.js';
export { type DocumentChange, documentChangeViolations, replaceDocument } from './rules/document/document-owner.js';
export {
  addUpload,
  addUploadPart,
  deleteUpload,
  type DocumentUpload,
  endExpiredUploads,
  findUpload,
  finishUpload,
  lockUpload,
  MAX_OPEN_UPLOADS,
  unlockUpload,
  UPLOAD_HOURS,
  type NewUploadOwner,
  type UploadOwner,
} from './rules/document/document-uploads.js';
export {
  claimScan,
  type ClaimedScan,
  finishScan,
  postponeScan,
  queueScan,
} from './rules/document/scan-queue.js';
export { COUNTED_AT_MOST, type Outbox, OUTBOX, readOutbox } from './rules/event/outbox.js';
export { noteChanges } from './writing/event/note-changes.js';
export { EVENT_CHANNEL, eventHighWaterMark, recordEvent } from './writing/event/record-event.js';
export { setTransactionRequest } from './writing/event/transaction-request.js';
export { formSchema } from './rules/form/form-body.js';
export { readFormCondition, replaceDatapaths } from './rules/form/form-condition.js';
export { bulkFormValuesSchema, formValuesSchema, givenValues, MAX_BULK_ITEMS } from './rules/form/form-values-body.js';
export {
  type ApplicationQuestions,
  type QuestionItem,
  type QuestionSection,
  readApplicationQuestions,
} from './rules/form/application-questions.js';
export { readFormValues } from './rules/form/read-form-values.js';
export { type OwnerValues } from './rules/form/validate-form-values.js';
export { writeFormValues } from './rules/form/write-form-values.js';
export { ON_EXISTING_CANDIDATE } from './rules/application/existing-candidate.js';
export { createForm, deleteForm, formDatapaths, formViolations, replaceForm } from './rules/form/write-form.js';
export { historyFeedStatement, historyStatement } from './rules/history/history-sql.js';
export {
  addHistory,
  buryApplications,
  deleteHistory,
  HISTORY_TYPES,
  historyHighWaterMark,
  type HistorySubject,
} from './rules/history/history.js';
export {
  ANSWER_PURPOSE,
  claimIdempotencyKey,
  type IdempotencyClaim,
  isIdempotencyKeyTaken,
  keepAnswer,
  releaseIdempotencyKey,
  type StoredAnswer,
} from './rules/idempotency/idempotency-keys.js';
export { findLayout } from './rules/layout/find-layout.js';
export { layoutViolations, readLayoutBody } from './rules/layout/layout-body.js';
export {
  type AppliedPosting,
  countOpenPostings,
  EQUAL_FILTERS,
  findBoard,
  findOpenPosting,
  type OpenPosting,
  type PostingsQuery,
  type PublicBoard,
  readOpenPostings,
} from './rules/posting/open-postings.js';
export { raiseStatusChangeEvents, storePostingStatus } from './rules/posting/posting-status.js';
export { initialState, moveState, type StateMove, targetViolations } from './rules/process/move-state.js';
export { processStatement, stateStatement } from './reading/state-sql.js';
export { scoreApplication, scoreApplicationsOf } from './rules/scoring/score-applications.js';
export { SCORING_ROOT } from './rules/scoring/scoring-expression.js';
export { validateScoringRules } from './rules/scoring/validate-scoring-rules.js';
export { readSearchTexts, type SearchTexts, type StoredTexts } from './rules/search-definition/search-texts.js';
export {
  deleteSurplusQueries,
  deleteUnusedQueries,
  findQuery,
  keepQuery,
  type QueryPairs,
  type StoredQuery,
} from './rules/stored-query/stored-query.js';
export {
  addMember,
  lockItems,
  MAX_MEMBERS_AT_ONCE,
  type Members,
  membersStatement,
  removeMember,
  replaceMembers,
} from './rules/selection/members.js';
export { addHistograms, histogramOf, type LatencyHistogram } from './notification/deliveries/latency-histogram.js';
export {
  type EndpointHealth,
  MAX_BACKLOG,
  NO_HEALTH,
  readEndpointHealth,
} from './notification/deliveries/endpoint-health.js';
export {
  deleteOldEndpointStats,
  type MetricsRequest,
  readEndpointMetrics,
  STATS_PERIODS,
  type StatsPeriod,
} from './notification/deliveries/endpoint-stats.js';
export {
  acknowledgePosition,
  deleteOldPositions,
  type EndpointFeedPage,
  type EndpointMessage,
  feedStates,
  readEndpointFeed,
} from './notification/deliveries/endpoint-feed.js';
export { messageFeedStatement } from './notification/deliveries/message-feed.js';
export { readCatalogueItems, withClosedValues } from './facts/catalogue-items.js';
export { DATAPATH_USES, datapathRoots, isDatapathRoot, listDatapaths } from './reading/datapath-catalogue.js';
export { exampleMessage, messageSchema } from './notification/deliveries/message-example.js';
export { MESSAGE_DATAPATHS, toMessageBody } from './notification/deliveries/message.js';
export { dropOldDeliveryDays, ensureDeliveryDays } from './notification/deliveries/partitions.js';
export { moveBacklogs, streamsSql } from './notification/deliveries/pending-deliveries.js';
export {
  EXPLAINED_STEPS,
  explainEvent,
  type Explanation,
  type Verdict,
} from './notification/explaining/explanation.js';
export { deleteOldRevisions } from './notification/explaining/delete-old-revisions.js';
export { MAX_PREVIEWED_EVENTS, type Preview, previewTopic } from './notification/explaining/preview.js';
export { type ReconciliationCursor } from './notification/explaining/reconciliation-rows.js';
export {
  reconcileDeliveries,
  type Reconciliation,
  type UnreconciledPair,
} from './notification/explaining/reconciliation.js';
export { noDestination, redeliver, type SubscriptionKey } from './notification/redelivery/redeliver.js';
export {
  continueRedeliveries,
  createRedelivery,
  type RedeliveryRange,
} from './notification/redelivery/redeliveries.js';
export { destinationGuard, destinationVariables } from './notification/subscriptions/destination-environment.js';
export {
  CUSTOM_HEADERS_PURPOSE,
  type CustomHeaders,
  openCustomHeaders,
  readCustomHeaders,
  replaceCustomHeaders,
} from './notification/subscriptions/custom-headers.js';
export {
  AUTHENTICATION_PURPOSE,
  type OAuthClient,
  openAuthentication,
  readAuthentication,
  readCertificateId,
  replaceAuthentication,
  type WantedAuthentication,
} from './notification/subscriptions/endpoint-authentication.js';
export {
  type CertificateBody,
  CLIENT_CERTIFICATE_PURPOSE,
  type ClientCertificate,
  createClientCertificate,
  deleteClientCertificate,
  openClientCertificate,
  replaceClientCertificate,
  type SealedCertificate,
} from './notification/subscriptions/client-certificates.js';
export {
  attachToEndpoint,
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  type EndpointValues,
  lockEndpointRow,
  readTopicsOf,
  replaceEndpoint,
} from './notification/subscriptions/endpoints.js';
export { ALERTED_OWNER, type AlertType, deleteOldAlertMails } from './notification/subscriptions/alert-mails.js';
export {
  type OperatorEventCause,
  recordExhausted,
  recordSubscriptionEvents,
} from './notification/subscriptions/operator-events.js';
export {
  type Batch,
  type DeliveryModes,
  type Ordering,
  ORDERINGS,
  readDeliveryModes,
  replaceDeliveryModes,
  type Throttle,
} from './notification/subscriptions/delivery-modes.js';
export { ensurePingDay, insertPing } from './notification/subscriptions/ping.js';
export {
  endpointIdOf,
  joinEndpoint,
  lockSubscriptionsOf,
  leaveEndpoint,
  rotateEndpointKey,
  rotateSigningKey,
  shareEndpoint,
} from './notification/subscriptions/endpoint-keys.js';
export {
  KEY_OVERLAP_SECONDS,
  KEYS_OF_ENDPOINT,
  openSigningKeys,
  readKeyAccess,
  readKeysOf,
  type SealedKey,
  SIGNING_KEY_PURPOSE,
  type SigningKeys,
} from './notification/subscriptions/signing-keys.js';
export {
  createSubscription,
  deleteSubscription,
  type DisabledReason,
  disableSubscription,
  disableSubscriptions,
  enableSubscription,
  enableSubscriptions,
  lockSubscription,
  replaceSubscription,
  type Subscription,
  type SubscriptionValues,
} from './notification/subscriptions/subscriptions.js';
export { checkTopicExpression } from './notification/topics/topic-expression.js';
export { lockTopicIndex, shareTopicIndex } from './notification/topics/topic-index-lock.js';
export {
  createTopic,
  deleteTopic,
  lockTopic,
  replaceTopic,
  type Topic,
  type TopicValues,
} from './notification/topics/topics.js';
export { type Anonymisation, anonymiseCandidate, removePersonalData } from './privacy/anonymise.js';
export { announceAnonymisations, anonymiseDueCandidates, type RetentionCursor } from './privacy/candidate-retention.js';
export { anonymiseRecruiter } from './privacy/anonymise-recruiter.js';
export { resourcesWithMentions } from './privacy/mention-places.js';
export { type Removal, type RemainingMention, type RemovalReport } from './privacy/removal-report.js';
export { migrations } from './migrations/index.js';
export { checkQuotas } from './writing/quota.js';
