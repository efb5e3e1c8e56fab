import { CreateRecruitmentTables1795219200000 } from './1795219200000-create-recruitment-tables.js';
import { CreateDomainEvents1795219300000 } from './1795219300000-create-domain-events.js';
import { SeedSystemAndProcesses1795219400000 } from './1795219400000-seed-system-and-processes.js';
import { CreateNotifications1795219500000 } from './1795219500000-create-notifications.js';
import { CreateIdempotencyKeys1795219600000 } from './1795219600000-create-idempotency-keys.js';
import { AddPostingKnownStatus1795219700000 } from './1795219700000-add-posting-known-status.js';
import { IndexApplicantsOfThePast1795219800000 } from './1795219800000-index-applicants-of-the-past.js';
import { CreateSearchesAndSelections1795219900000 } from './1795219900000-create-searches-and-selections.js';
import { CreateLayouts1795220000000 } from './1795220000000-create-layouts.js';
import { AddRichText1795220100000 } from './1795220100000-add-rich-text.js';
import { IndexSearches1795220200000 } from './1795220200000-index-searches.js';
import { CreateForms1795220300000 } from './1795220300000-create-forms.js';
import { OrderFormValues1795220310000 } from './1795220310000-order-form-values.js';
import { LetFormsAndLayoutsLeaveSelections1795220350000 } from './1795220350000-let-forms-and-layouts-leave-selections.js';
import { PartitionDeliveries1795220400000 } from './1795220400000-partition-deliveries.js';
import { LogDeliveries1795220410000 } from './1795220410000-log-deliveries.js';
import { ForgetAnswers1795220411000 } from './1795220411000-forget-answers.js';
import { KeepNotificationHistory1795220420000 } from './1795220420000-keep-notification-history.js';
import { IndexEventsForOperators1795220430000 } from './1795220430000-index-events-for-operators.js';
import { CreateReconciliation1795220431000 } from './1795220431000-create-reconciliation.js';
import { CreateCommunications1795220500000 } from './1795220500000-create-communications.js';
import { CreateScoringRules1795220510000 } from './1795220510000-create-scoring-rules.js';
import { IndexQuickSearch1795220520000 } from './1795220520000-index-quick-search.js';
import { CoverFormValues1795220530000 } from './1795220530000-cover-form-values.js';
import { CreateAccountActivations1795220600000 } from './1795220600000-create-account-activations.js';
import { IndexTextsOfMessages1795220610000 } from './1795220610000-index-texts-of-messages.js';
import { NameStatesByWhatTheyAreOf1795220620000 } from './1795220620000-name-states-by-what-they-are-of.js';
import { AddTraces1795220700000 } from './1795220700000-add-traces.js';
import { GiveFirstUsersValidAddresses1795220710000 } from './1795220710000-give-first-users-valid-addresses.js';
import { AddRequestOfMails1795220720000 } from './1795220720000-add-request-of-mails.js';

/** Every migration, oldest first. One that has been released is never changed. */
export const migrations = [
  CreateRecruitmentTables1795219200000,
  CreateDomainEvents1795219300000,
  SeedSystemAndProcesses1795219400000,
  CreateNotifications1795219500000,
  CreateIdempotencyKeys1795219600000,
  AddPostingKnownStatus1795219700000,
  IndexApplicantsOfThePast1795219800000,
  CreateSearchesAndSelections1795219900000,
  CreateLayouts1795220000000,
  AddRichText1795220100000,
  IndexSearches1795220200000,
  CreateForms1795220300000,
  OrderFormValues1795220310000,
  LetFormsAndLayoutsLeaveSelections1795220350000,
  PartitionDeliveries1795220400000,
  LogDeliveries1795220410000,
  ForgetAnswers1795220411000,
  KeepNotificationHistory1795220420000,
  IndexEventsForOperators1795220430000,
  CreateReconciliation1795220431000,
  CreateCommunications1795220500000,
  CreateScoringRules1795220510000,
  IndexQuickSearch1795220520000,
  CoverFormValues1795220530000,
  CreateAccountActivations1795220600000,
  IndexTextsOfMessages1795220610000,
  NameStatesByWhatTheyAreOf1795220620000,
  AddTraces1795220700000,
  GiveFirstUsersValidAddresses1795220710000,
  AddRequestOfMails1795220720000,
] as const;
