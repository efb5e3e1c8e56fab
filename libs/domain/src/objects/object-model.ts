import { type SqlObjectModel } from '@ats/search-query';
import { application } from './application.model.js';
import { communication } from './communication.model.js';
import { messageTemplate } from './message-template.model.js';
import { credential } from './credential.model.js';
import { notificationEvent, notificationEventSubject } from './event.model.js';
import { form, formItem, formOption, formSection, formValidation } from './form.model.js';
import { formValueRelation, formValueTypes } from './form-value.model.js';
import { jobBoard } from './job-board.model.js';
import { layout, layoutColumn } from './layout.model.js';
import { notificationAttempt, notificationDelivery } from './delivery.model.js';
import { notificationSubscription, notificationTopic } from './notification.model.js';
import { notificationRedelivery } from './redelivery.model.js';
import { event, opportunity, vacancy } from './opportunity.model.js';
import { posting, postingMethod, postingPlace } from './posting.model.js';
import { process, processState, state } from './state.model.js';
import { scoringRule } from './scoring-rule.model.js';
import { configSearch, savedSearch } from './search-definition.model.js';
import { selection } from './selection.model.js';
import { system } from './system.model.js';
import {
  candidate,
  candidateAddress,
  candidateEmail,
  candidatePhone,
  candidateUrl,
  recruiter,
  user,
} from './user.model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

const types = [
  application,
  candidate,
  candidateAddress,
  candidateEmail,
  candidatePhone,
  candidateUrl,
  communication,
  configSearch,
  credential,
  event,
  form,
  formItem,
  formOption,
  formSection,
  formValidation,
  jobBoard,
  layout,
  layoutColumn,
  messageTemplate,
  notificationAttempt,
  notificationDelivery,
  notificationEvent,
  notificationEventSubject,
  notificationRedelivery,
  notificationSubscription,
  notificationTopic,
  opportunity,
  posting,
  postingMethod,
  postingPlace,
  process,
  processState,
  recruiter,
  savedSearch,
  scoringRule,
  selection,
  state,
  system,
  user,
  vacancy,
];

const byName: ReadonlyMap<string, ObjectType> = new Map([...types, ...formValueTypes].map((type) => [type.name, type]));

/** Every object type there is: what datapaths can reach, and how. DESIGN.md 1. */
export interface DomainModel extends SqlObjectModel {
  readonly types: readonly ObjectType[];
  type(name: string): ObjectType | undefined;
}

export const objectModel: DomainModel = { types, type: (name) => byName.get(name), formRelation: formValueRelation };

/** The type of that name. @throws {Error} when there is none: names come from the program, never from a client */
export function getObjectType(name: string): ObjectType {
  const type = byName.get(name);
  if (!type) throw new Error(`there is no object type ${name}`);
  return type;
}
