export {
  ACTIVATION_DAYS,
  activateAccount,
  cancelActivation,
  openActivation,
  startActivation,
} from './account-activation/account-activation.js';
export { ACTIVATION_TOKEN_PURPOSE, openActivationToken } from './account-activation/activation-mail.js';
export { giveUpExpiredActivationMails } from './account-activation/expired-activation-mails.js';
export { isActivationToken } from './account-activation/activation-token.js';
export {
  destinationGuard,
  destinationVariables,
  type DestinationEnvironment,
} from './config/destination-environment.js';
export { credentials } from './credential/credential.model.js';
export { createToken, NO_DIGEST, parseToken, type ParsedToken } from './credential/token.js';
export { ensureBootstrapCredential } from './credential/bootstrap.js';
export {
  Database,
  runStatement,
  type DatabaseOptions,
  type OpenDatabaseOptions,
  type Transaction,
} from './database/database.js';
export {
  type DatabaseState,
  type DatabaseStateChange,
  DatabaseWatch,
  stateInWords,
} from './database/database-watch.js';
export {
  CommitUnknownError,
  DatabaseAwayError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
  isUnavailable,
} from './database/unavailable.js';
export { type PoolState } from './database/pool-state.js';
export { prepared, ReadPool, type ReadPoolOptions, type ReadStatement } from './database/read-pool.js';
export { type CommitPosition, withCommitPosition } from './database/replica/commit-position.js';
export {
  type Fallback,
  NOTED_MS,
  Replica,
  type ReplicaMeasures,
  type ReplicaOptions,
  type ReplicaState,
} from './database/replica/replica.js';
export { type PageReads, type Statements } from './database/replica/replica-reads.js';
export { type WalPosition } from './database/replica/wal-position.js';
export { readsClock, SNAPSHOT } from './database/snapshot.js';
export { EVENT_ROOTS, EVENT_TYPES, type EventSubject, type EventType } from './event/event-types.js';
export { API_PREFIX, resourceUrl, type Collection } from './model/resource-url.js';
export { recordEvent, EVENT_CHANNEL, type EventToRecord } from './event/record-event.js';
export { COUNTED_AT_MOST, OUTBOX, type Outbox, readOutbox } from './event/outbox.js';
export { noteRequest } from './event/noted-request.js';
export { readDatapaths, standardDatapaths, type Facts, runIn, type RunQuery } from './event/facts.js';
export {
  addHistory,
  deleteHistory,
  HISTORY_TYPES,
  type HistoryEntry,
  type HistorySubject,
  type HistoryType,
} from './history/history.js';
export { getObjectType, objectModel, type DomainModel } from './model/object-model.js';
export { type Attribute, type MemoryContext, type ObjectData } from './model/attribute.js';
export { cleanText, idSchema, integerSchema, momentSchema, oneOf, filledRichTextSchema } from './model/value-schema.js';
export { type ObjectType, type Property } from './model/object-type.js';
export { type Relation } from './model/relation.js';
export { representationSchema, withProperties, type JsonSchema } from './model/representation-schema.js';
export { requiredScopes } from './model/required-scopes.js';
export { representationOf, type RepresentationField } from './model/representation.js';
export { itemStatement, sqlSettings, type ReadSettings, type RowSource } from './model/representation-sql.js';
export {
  collectionStatements,
  type CollectionRequest,
  type CollectionStatements,
  type CountRow,
  type KeysRequest,
} from './search/collection-statement.js';
export { PlanChoice } from './search/plan-choice.js';
export { readPage, type Page, type PageReading, type Reads } from './search/read-page.js';
export { memoryReading, searchSubject } from './search/search-subject.js';
export { allowedStates, initialState, moveState, type StateMove } from './process/move-state.js';
export { toValidationError } from './validation/constraint-faults.js';
export { IN_OUR_WORDS, issueMessage } from './validation/issue-message.js';
export { NotFoundError, ValidationError, type ValidationFault } from './validation/validation-error.js';
export { entitySchemas } from './writing/entities.js';
export { hasRichText } from './rich-text/rich-text-columns.js';
export { type RichTextForm } from './rich-text/rich-text.js';
export { readItem } from './writing/read-item.js';
export {
  deleteObject,
  insertObject,
  replaceObject,
  touch,
  type Change,
  type ColumnValues,
  type Replacement,
} from './writing/write-object.js';
export { optionalProperty, writeSchema, type WriteBody } from './writing/write-schema.js';
export {
  IncompleteEventError,
  MESSAGE_DATAPATHS,
  toMessageBody,
  toPingBody,
  type EventForMessage,
  type SubscriptionForMessage,
} from './notification/message.js';
export { subscriptionUrl } from './notification/subscription-url.js';
export { ATTEMPT_ERRORS, ATTEMPT_REASONS, type AttemptError } from './notification/attempt-errors.js';
export {
  DELIVERY_STATUSES,
  notificationDeliveries,
  REDELIVERY_ERROR_CODES,
  type DeliveryStatus,
} from './notification/delivery.model.js';
export { messageFeedStatement, type FeedRequest } from './notification/message-feed.js';
export { ensurePingDay, insertPing } from './notification/ping.js';
export { redeliver, lockSubscriptionRow, type SubscriptionKey } from './notification/redeliver.js';
export {
  continueRedeliveries,
  countRedeliverable,
  createRedelivery,
  type RedeliveryRange,
} from './notification/redeliveries.js';
export {
  notificationRedeliveries,
  REDELIVERABLE_STATUSES,
  type RedeliverableStatus,
} from './notification/redelivery.model.js';
export { notificationEvents } from './event/event.model.js';
export { eventHorizon } from './event/event-horizon.js';
export { dayOf, dropOldDeliveryDays, type DroppedDays, ensureDeliveryDays } from './notification/partitions.js';
export { moveBacklogs } from './notification/pending-deliveries.js';
export { SecretBox, SecretBoxError } from './notification/secret-box.js';
export {
  KEY_OVERLAP_SECONDS,
  openSigningKeys,
  readSigningKeys,
  rotateSigningKey,
  SIGNING_KEY_PURPOSE,
  type SealedKey,
  type SigningKeys,
} from './notification/signing-keys.js';
export {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  lockSubscription,
  replaceSubscription,
  SUBSCRIPTION_COLUMNS,
  type DisabledReason,
  type Subscription,
  type SubscriptionStatus,
  type SubscriptionValues,
} from './notification/subscriptions.js';
export {
  reconcileDeliveries,
  type Reconciliation,
  type ReconciliationCursor,
  type ReconciliationOptions,
  type UnreconciledPair,
} from './notification/reconciliation.js';
export {
  explainEvent,
  EXPLAINED_STEPS,
  type ExplainedTopic,
  type Explanation,
  type Verdict,
} from './notification/explanation.js';
export { forgetNotificationHistory } from './notification/forget-history.js';
export { MAX_PREVIEWED_EVENTS, previewTopic, type Preview, type PreviewRequest } from './notification/preview.js';
export { checkTopicExpression } from './notification/topic-expression.js';
export { lockTopicIndex, shareTopicIndex } from './notification/topic-index-lock.js';
export {
  createTopic,
  deleteTopic,
  lockTopic,
  replaceTopic,
  type Topic,
  type TopicValues,
} from './notification/topics.js';
export { collectionNames, findResource, type Resource } from './model/resource.js';
export { applications, eventApplications } from './application/application.model.js';
export {
  type ApplicationCopy,
  copyApplication,
  type CopiedApplication,
  copyFaults,
} from './application/copy-application.js';
export { type OpenOpportunity, openOpportunity, type TargetOpportunity } from './application/open-opportunity.js';
export { judgeScoringRules, type JudgedRules } from './scoring/judge-scoring-rules.js';
export {
  scoreApplication,
  scoreApplicationsOf,
  type ScoredPart,
  type ScorePart,
  type ScoreWrite,
} from './scoring/score-applications.js';
export { SCORING_ROOT } from './scoring/scoring-expression.js';
export { findLayout, layoutDatapaths, layoutKey, type FoundLayout, type Layout } from './layout/layout.js';
export { layoutFaults, readLayoutBody, type ReadLayout } from './layout/layout-body.js';
export { layouts } from './layout/layout.model.js';
export { LANGUAGES, type Language } from './localisation/languages.js';
export { forms } from './form/form.model.js';
export { formSchema } from './form/form-body.js';
export { FORM_VALUES_ERROR_CODES } from './form/form.model.js';
export { modelForTexts } from './form/form-items.js';
export { type ShownValue } from './form/form-value.js';
export { type FormOwner, formValuesTable } from './form/form-value.model.js';
export { bulkFormValuesSchema, formValuesSchema, givenValues, MAX_BULK_ITEMS } from './form/form-values-body.js';
export { type OwnerValues } from './form/judge-form-values.js';
export { formValuesFaults } from './form/judge-owners.js';
export { readFormValues } from './form/read-form-values.js';
export { type FormValuesWrite, writeFormValues } from './form/write-form-values.js';
export { createForm, deleteForm, formDatapaths, formFaults, replaceForm } from './form/write-form.js';
export { addCommunication } from './communication/add-communication.js';
export {
  COMMUNICATION_TYPES,
  communications,
  type CommunicationType,
  DIRECTIONS,
  type Direction,
  type FailedReason,
  subjectSchema,
} from './communication/communication.model.js';
export { markCommunicationFailed, markCommunicationSent } from './communication/communication-status.js';
export { type MergeValue, readMergeValues } from './communication/merge-values.js';
export { messageTemplates } from './communication/message-template.model.js';
export {
  type MessageTemplate,
  type MessageTexts,
  readTemplate,
  templateDatapaths,
  templateFaults,
} from './communication/read-template.js';
export { lockRecipient, type Recipient } from './communication/recipient.js';
export { findTemplate, type StoredTemplate } from './communication/find-template.js';
export {
  filledMessage,
  literalMessage,
  type MessageContent,
  renderMessage,
  type UnfitMessage,
} from './communication/render-message.js';
export { cancelMails, MAIL_CHANNEL, queueMail } from './communication/outgoing-mails.js';
export { jobBoards } from './job-board/job-board.model.js';
export { events, vacancies } from './opportunity/opportunity.model.js';
export { postings } from './posting/posting.model.js';
export { QUICK_SEARCH_GROUPS, type QuickSearchGroup } from './quick-search/groups.js';
export {
  type QuickSearchResult,
  type QuickSearchStatement,
  quickSearchStatement,
} from './quick-search/quick-search-statement.js';
export { configSearches, savedSearches } from './search-definition/search-definition.model.js';
export { readSearchTexts, type SearchTexts } from './search-definition/search-texts.js';
export {
  addMember,
  lockItems,
  MAX_MEMBERS_AT_ONCE,
  membersStatement,
  removeMember,
  replaceMembers,
  type Members,
} from './selection/members.js';
export { selections } from './selection/selection.model.js';
export { type ApiVersion } from './system/api-version.js';
export { systems } from './system/system.model.js';
export { candidates, recruiters, users } from './user/user.model.js';
export { historyHorizon } from './history/history-horizon.js';
export { historyFeedStatement, historyStatement } from './history/history-sql.js';
export { stateStatement } from './process/state-sql.js';
export { STATE_ERROR_CODES } from './process/state.model.js';
export { notificationSubscriptions, notificationTopics } from './notification/notification.model.js';
export {
  ANSWER_PURPOSE,
  claimIdempotencyKey,
  type ClaimResult,
  type IdempotencyClaim,
  type IdempotentRequest,
  keepAnswer,
  isIdempotencyKeyTaken,
  releaseIdempotencyKey,
  type StoredAnswer,
} from './idempotency/idempotency-keys.js';
export { anonymiseCandidate } from './user/anonymise.js';
export { announceStatusChanges, noteStatus } from './posting/posting-status.js';
export { bodyFaults } from './writing/body-faults.js';
export { lockObject } from './writing/lock-object.js';
