import { message, type Message } from '@ats/message';
import { type Transaction } from '@ats/postgres';
import {
  COMMUNICATION_TYPES,
  type CommunicationType,
  type Direction,
  DIRECTIONS,
  SENDABLE_TYPES,
} from '../../objects/communication.model.js';
import { messageTemplates } from '../../objects/message-template.model.js';
import { runIn } from '../../reading/run-query.js';
import { type Resource } from '../../vocabulary/resource.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { idSchema } from '../../vocabulary/value-schema.js';
import { findTemplate } from './find-template.js';
import { type MessageTemplate, readTemplate } from './read-template.js';
import { lockRecipient, type Recipient } from './recipient.js';

/** A request to add or preview a communication. */
export interface AskedCommunication {
  /** The collection that the application belongs to. */
  readonly resource: Resource;
  readonly applicationId: number;
  readonly body: unknown;
  /** False for a preview. A preview must not reveal whether the candidate has an address. */
  readonly isKept: boolean;
  /** Violations of the body's schema. When the list is empty, `body` is valid. */
  readonly violations: readonly Violation[];
}

/** The result of the check of a communication. It exists for valid and invalid bodies. */
export interface CheckedCommunication {
  readonly recipient: Recipient;
  readonly type: CommunicationType;
  readonly direction: Direction;
  readonly to: readonly string[];
  /**
   * The template that `template_id` names. Absent when the body names none, or when the template is missing or invalid.
   */
  readonly template?: MessageTemplate;
  readonly violations: readonly Violation[];
}

/**
 * Locks the candidate of a communication and collects all violations: of the body, the template and the recipient.
 * @throws {NotFoundError} when the collection has no such application
 */
export async function checkCommunication(
  transaction: Transaction,
  asked: AskedCommunication,
): Promise<CheckedCommunication> {
  const given = (typeof asked.body === 'object' && asked.body !== null ? asked.body : {}) as Readonly<
    Record<string, unknown>
  >;
  const recipient = await lockRecipient(transaction, asked.resource, asked.applicationId);
  const { type: ofTemplate, template, violations } = await readStored(transaction, given['template_id']);
  const type = COMMUNICATION_TYPES.find((one) => one === given['type']) ?? ofTemplate ?? 'email';
  const direction = DIRECTIONS.find((one) => one === given['direction']) ?? 'outbound';
  const to = direction === 'outbound' ? recipient.addresses[type] : [];
  return {
    recipient,
    type,
    direction,
    to,
    ...(template && { template }),
    violations: [
      ...asked.violations,
      ...violations,
      ...sendingViolations(recipient, {
        type,
        typeFrom: given['type'] === type ? '/type' : '/template_id',
        isToSend: asked.isKept && direction === 'outbound' && type !== 'note',
        to,
      }),
    ],
  };
}

interface Sending {
  readonly type: CommunicationType;
  /** JSON pointer of the property that decided the type. */
  readonly typeFrom: string;
  readonly isToSend: boolean;
  readonly to: readonly string[];
}

function sendingViolations(
  { isAnonymised }: Recipient,
  { type, typeFrom, isToSend, to }: Sending,
): readonly Violation[] {
  if (isAnonymised) return [{ path: '', code: 'anonymised', info: message`the candidate is anonymised` }];
  if (isToSend && !SENDABLE_TYPES.has(type)) {
    const info = message`the service has no gateway that sends messages of the type ${type}`;
    return [{ path: typeFrom, code: 'channel_unavailable', info }];
  }
  return isToSend && to.length === 0
    ? [
        {
          path: '',
          code: 'no_address',
          info: message`the candidate has no e-mail address or telephone number for a message of this type`,
        },
      ]
    : [];
}

interface ReadStored {
  readonly type?: CommunicationType;
  readonly template?: MessageTemplate;
  readonly violations: readonly Violation[];
}

/**
 * Reads the template that `template_id` names. A stored template becomes invalid when a form item that it uses is
 * deleted.
 */
async function readStored(transaction: Transaction, given: unknown): Promise<ReadStored> {
  const id = idSchema.safeParse(given);
  if (!id.success) return { violations: [] };
  const stored = await findTemplate(transaction, id.data);
  if (!stored)
    return { violations: [templateViolation(message`there is no ${messageTemplates.type.name} ${id.data}`)] };
  const template = await readTemplate(runIn(transaction), stored);
  if ('violations' in template)
    return {
      type: stored.type,
      violations: template.violations.map(({ path, info = '' }) => ({
        ...templateViolation(message`the ${path.slice(1)} of the template cannot be filled in any more`),
        // Only clients that may read the resource get this text, because it quotes the template.
        infoForReaders: message`the ${path.slice(1)} of the template cannot be filled in any more: ${info}`,
      })),
    };
  return { type: stored.type, template, violations: [] };
}

const templateViolation = (info: Message): Violation => ({ path: '/template_id', code: 'invalid', info });
