export {
  ACTIVATION_DAYS,
  activateAccount,
  cancelActivation,
  openActivation,
  startActivation,
} from './rules/account-activation/account-activation.js';
export { ACTIVATION_TOKEN_PURPOSE, openActivationToken } from './rules/account-activation/activation-mail.js';
export { giveUpExpiredActivationMails } from './rules/account-activation/expired-activation-mails.js';
export { isActivationToken } from './rules/account-activation/activation-token.js';
export {
  destinationGuard,
  destinationVariables,
  type DestinationEnvironment,
} from './notification/subscriptions/destination-environment.js';
export { credentials } from './objects/credential.model.js';
export { createToken, NO_DIGEST, parseToken, type ParsedToken } from './rules/credential/token.js';
export { migrations } from './migrations/index.js';
export { ensureBootstrapCredential } from './rules/credential/bootstrap.js';
export { EVENT_ROOTS, EVENT_TYPES, type EventSubject, type EventType } from './objects/event-types.js';
export { API_PREFIX, resourceUrl, type Collection } from './vocabulary/resource-url.js';
export { recordEvent, EVENT_CHANNEL, type EventToRecord } from './rules/event/record-event.js';
export { COUNTED_AT_MOST, OUTBOX, type Outbox, readOutbox } from './rules/event/outbox.js';
export { setTransactionRequest } from './rules/event/transaction-request.js';
export { runIn, type RunQuery } from './reading/run-query.js';
export { readDatapaths, standardDatapaths, type Facts } from './facts/read-datapaths.js';
export {
  addHistory,
  deleteHistory,
  HISTORY_TYPES,
  type HistoryEntry,
  type HistorySubject,
  type HistoryType,
} from './rules/history/history.js';
export { getObjectType, objectModel, type DomainModel } from './objects/object-model.js';
export { type Attribute, type MemoryContext, type ObjectData } from './vocabulary/attribute.js';
export {
  cleanText,
  idSchema,
  integerSchema,
  momentSchema,
  oneOf,
  filledRichTextSchema,
} from './vocabulary/value-schema.js';
export { type ObjectType, type Property } from './vocabulary/object-type.js';
export { type Relation } from './vocabulary/relation.js';
export { representationSchema, withProperties } from './reading/representation-schema.js';
export { requiredScopes } from './reading/required-scopes.js';
export { representationOf, type RepresentationField } from './reading/representation.js';
export { type RowSource } from './vocabulary/resource.js';
export { existenceStatement, itemStatement, sqlSettings, type ReadSettings } from './reading/representation-sql.js';
export {
  collectionStatements,
  type CollectionRequest,
  type CollectionStatements,
  type CountRow,
  type KeysRequest,
  type Reads,
} from './reading/collection-statement.js';
export { PlanChoice } from './reading/plan-choice.js';
export { readPage, type Page, type PageReading } from './reading/read-page.js';
export { searchSubject } from './reading/search-subject.js';
export { allowedStates, initialState, moveState, type StateMove } from './rules/process/move-state.js';
export { toValidationError } from './writing/constraint-faults.js';
export { IN_OUR_WORDS, issueMessage } from './writing/issue-message.js';
export { NotFoundError, ValidationError, type ValidationFault } from './vocabulary/validation-error.js';
export { entitySchemas } from './writing/entities.js';
export { hasRichText } from './writing/rich-text-columns.js';
export { type RichTextForm } from './vocabulary/rich-text.js';
export { readItem } from './reading/read-item.js';
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
} from './notification/deliveries/message.js';
export { subscriptionUrl } from './objects/subscription-url.js';
export { ATTEMPT_ERRORS, ATTEMPT_REASONS, type AttemptError } from './objects/attempt-errors.js';
export {
  DELIVERY_STATUSES,
  notificationDeliveries,
  REDELIVERY_ERROR_CODES,
  type DeliveryStatus,
} from './objects/delivery.model.js';
export { messageFeedStatement, type FeedRequest } from './notification/deliveries/message-feed.js';
export { ensurePingDay, insertPing } from './notification/subscriptions/ping.js';
export { redeliver, lockSubscriptionRow, type SubscriptionKey } from './notification/redelivery/redeliver.js';
export {
  continueRedeliveries,
  countRedeliverable,
  createRedelivery,
  type RedeliveryRange,
} from './notification/redelivery/redeliveries.js';
export {
  notificationRedeliveries,
  REDELIVERABLE_STATUSES,
  type RedeliverableStatus,
} from './objects/redelivery.model.js';
export { notificationEvents } from './objects/event.model.js';
export { eventHighWaterMark } from './rules/event/record-event.js';
export {
  dayOf,
  dropOldDeliveryDays,
  type DroppedDays,
  ensureDeliveryDays,
} from './notification/deliveries/partitions.js';
export { moveBacklogs } from './notification/deliveries/pending-deliveries.js';
export { SecretBox, SecretBoxError } from './writing/secret-box.js';
export {
  KEY_OVERLAP_SECONDS,
  openSigningKeys,
  readSigningKeys,
  rotateSigningKey,
  SIGNING_KEY_PURPOSE,
  type SealedKey,
  type SigningKeys,
} from './notification/subscriptions/signing-keys.js';
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
  type SubscriptionValues,
} from './notification/subscriptions/subscriptions.js';
export {
  reconcileDeliveries,
  type Reconciliation,
  type ReconciliationOptions,
  type UnreconciledPair,
} from './notification/explaining/reconciliation.js';
export {
  explainEvent,
  EXPLAINED_STEPS,
  type ExplainedTopic,
  type Explanation,
  type Verdict,
} from './notification/explaining/explanation.js';
export { forgetNotificationHistory } from './notification/explaining/forget-history.js';
export {
  MAX_PREVIEWED_EVENTS,
  previewTopic,
  type Preview,
  type PreviewRequest,
} from './notification/explaining/preview.js';
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
export { collectionNames, findResource, type Resource } from './vocabulary/resource.js';
export { applications, eventApplications } from './objects/application.model.js';
export {
  type ApplicationCopy,
  copyApplication,
  type CopiedApplication,
  copyFaults,
} from './rules/application/copy-application.js';
export { type OpenOpportunity, openOpportunity, type TargetOpportunity } from './rules/application/open-opportunity.js';
export { validateScoringRules, type ValidatedRules } from './rules/scoring/validate-scoring-rules.js';
export {
  scoreApplication,
  scoreApplicationsOf,
  type ScoredPart,
  type ScorePart,
  type ScoreWrite,
} from './rules/scoring/score-applications.js';
export { SCORING_ROOT } from './rules/scoring/scoring-expression.js';
export { findLayout, type FoundLayout } from './rules/layout/find-layout.js';
export { layoutDatapaths, layoutKey, type Layout } from './reading/layout-column.js';
export { layoutFaults, readLayoutBody, type ReadLayout } from './rules/layout/layout-body.js';
export { layouts } from './objects/layout.model.js';
export { LANGUAGES, type Language } from './vocabulary/languages.js';
export { forms } from './objects/form.model.js';
export { formSchema } from './rules/form/form-body.js';
export { FORM_VALUES_ERROR_CODES } from './objects/form.model.js';
export { modelForTexts } from './facts/form-items.js';
export { type ShownValue } from './reading/form-value.js';
export { type FormOwner, formValuesTable } from './objects/form-value.model.js';
export { bulkFormValuesSchema, formValuesSchema, givenValues, MAX_BULK_ITEMS } from './rules/form/form-values-body.js';
export { type OwnerValues } from './rules/form/validate-form-values.js';
export { formValuesFaults } from './rules/form/validate-owners.js';
export { readFormValues } from './rules/form/read-form-values.js';
export { type FormValuesWrite, writeFormValues } from './rules/form/write-form-values.js';
export { createForm, deleteForm, formDatapaths, formFaults, replaceForm } from './rules/form/write-form.js';
export { addCommunication } from './rules/communication/add-communication.js';
export {
  COMMUNICATION_TYPES,
  communications,
  type CommunicationType,
  DIRECTIONS,
  type Direction,
  type FailedReason,
  subjectSchema,
} from './objects/communication.model.js';
export { markCommunicationFailed, markCommunicationSent } from './rules/communication/communication-status.js';
export { type MergeValue, readMergeValues } from './rules/communication/merge-values.js';
export { messageTemplates } from './objects/message-template.model.js';
export {
  type MessageTemplate,
  type MessageTexts,
  readTemplate,
  templateDatapaths,
  templateFaults,
} from './rules/communication/read-template.js';
export { lockRecipient, type Recipient } from './rules/communication/recipient.js';
export { findTemplate, type StoredTemplate } from './rules/communication/find-template.js';
export {
  filledMessage,
  literalMessage,
  type MessageContent,
  renderMessage,
  type UnfitMessage,
} from './rules/communication/render-message.js';
export { cancelMails, MAIL_CHANNEL, queueMail } from './rules/communication/outgoing-mails.js';
export { jobBoards } from './objects/job-board.model.js';
export { events, vacancies } from './objects/opportunity.model.js';
export { postings } from './objects/posting.model.js';
export { QUICK_SEARCH_GROUPS, type QuickSearchGroup } from './reading/quick-search/groups.js';
export {
  type QuickSearchResult,
  type QuickSearchStatement,
  quickSearchStatement,
} from './reading/quick-search/quick-search-statement.js';
export { configSearches, savedSearches } from './objects/search-definition.model.js';
export { readSearchTexts, type SearchTexts } from './rules/search-definition/search-texts.js';
export {
  addMember,
  lockItems,
  MAX_MEMBERS_AT_ONCE,
  membersStatement,
  removeMember,
  replaceMembers,
  type Members,
} from './rules/selection/members.js';
export { selections } from './objects/selection.model.js';
export { type ApiVersion, type JsonSchema } from './vocabulary/settings-property.js';
export { systems } from './objects/system.model.js';
export { candidates, recruiters, users } from './objects/user.model.js';
export { historyHighWaterMark } from './rules/history/history.js';
export { historyFeedStatement, historyStatement } from './rules/history/history-sql.js';
export { stateStatement } from './rules/process/state-sql.js';
export { STATE_ERROR_CODES } from './objects/state.model.js';
export {
  notificationSubscriptions,
  notificationTopics,
  type SubscriptionStatus,
} from './objects/notification.model.js';
export { type ReconciliationCursor } from './notification/explaining/reconciliation-rows.js';
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
} from './rules/idempotency/idempotency-keys.js';
export { anonymiseCandidate } from './privacy/anonymise.js';
export { announceStatusChanges, noteStatus } from './rules/posting/posting-status.js';
export { bodyFaults } from './writing/body-faults.js';
export { lockObject } from './writing/lock-object.js';
