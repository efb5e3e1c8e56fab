// @ts-check
import { BEGINNING, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { Random } from './random.mjs';
import { richText } from './rich-text.mjs';

const templates = [
  {
    name: 'Application received',
    type: 'email',
    subject: 'Your application for {{ application.opportunity.title }}',
    body: '<p>Dear {{ application.user.firstname }},</p><p>thank you for applying. Your reference is <b>{{ application.reference }}</b>.</p>',
  },
  {
    name: 'Bewerbung eingegangen',
    type: 'email',
    subject: 'Ihre Bewerbung: {{ application.opportunity.title }}',
    body: '<p>Guten Tag {{ application.user.fullname }},</p><p>vielen Dank für Ihre Bewerbung. Sie ist nun: <b>{{ application.main_process_state.state.name }}</b>.</p>',
  },
];

export function* templateRows() {
  const random = new Random('templates');
  const created = timestamp(BEGINNING);
  for (const [index, { name, type, subject, body }] of templates.entries())
    yield [FIRST_ID + index, random.restart(index).uuid(), created, created, name, type, subject, ...richText(body)];
}

/**
 * The application that a message is about, and the author and the recipient of the message.
 * @typedef {object} Reason
 * @property {number} applicationId
 * @property {number} userId
 * @property {number} authorId
 * @property {number} at
 * @property {string} title of the opportunity
 * @property {import('./candidates.mjs').Contact} contact
 */

/**
 * @typedef {object} Message
 * @property {'email' | 'sms' | 'note'} type
 * @property {'outbound' | 'inbound'} direction
 * @property {'sent' | 'failed'} status
 * @property {string} [failedReason]
 * @property {number} [templateId]
 * @property {(reason: Reason) => string} [subject]
 * @property {(reason: Reason) => string} body HTML
 */

/** @type {Message} */
const call = {
  type: 'note',
  direction: 'outbound',
  status: 'sent',
  body: () => '<p>Called, no answer. <i>Try again on Monday.</i></p>',
};

/**
 * Kinds of messages, used in turn. No message is queued, so demo data never causes a real e-mail.
 * @type {readonly Message[]}
 */
const messages = [
  {
    type: 'email',
    direction: 'outbound',
    status: 'sent',
    templateId: FIRST_ID,
    subject: ({ title }) => `Your application for ${title}`,
    body: ({ applicationId, contact }) =>
      `<p>Dear ${escaped(contact.firstname)},</p><p>thank you for applying. Your reference is <b>${referenceOf(applicationId)}</b>.</p>`,
  },
  call,
  {
    type: 'email',
    direction: 'inbound',
    status: 'sent',
    subject: () => 'A question',
    body: () => '<p>Hello, is it possible to begin a month later? Best regards</p>',
  },
  {
    type: 'sms',
    direction: 'inbound',
    status: 'sent',
    body: () => '<p>I am in a meeting. Please call me back in an hour.</p>',
  },
  {
    type: 'email',
    direction: 'outbound',
    status: 'failed',
    failedReason: 'rejected',
    subject: ({ title }) => `About ${title}`,
    body: () => '<p>We could not reach you by telephone.</p>',
  },
  {
    type: 'note',
    direction: 'outbound',
    status: 'sent',
    subject: () => 'Reference',
    body: () => '<p>The last employer confirms the dates &amp; the role.</p>',
  },
];

const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
export const referenceOf = (/** @type {number} */ applicationId) => `APP-${String(applicationId).padStart(8, '0')}`;

/**
 * Chooses a kind of message for each application in `reasons`, in turn, and gives each message an id.
 * @param {readonly Reason[]} reasons
 */
const written = (reasons) =>
  reasons.map((reason, index) => {
    const next = messages[index % messages.length];
    return {
      id: FIRST_ID + index,
      reason,
      message: next.type === 'sms' && reason.contact.mobile === undefined ? call : next,
    };
  });

/**
 * Returns the recipients of a message. Notes and inbound messages have none.
 * @param {Message} message @param {Reason} reason
 */
const addressesOf = ({ type, direction }, { contact: { email } }) =>
  type === 'note' || direction === 'inbound' ? [] : [email];

/**
 * Yields the rows of the table of communications.
 * @param {readonly Reason[]} reasons
 */
export function* communicationRows(reasons) {
  const random = new Random('messages');
  for (const { id, reason, message } of written(reasons)) {
    const { type, direction, status, failedReason, templateId, subject, body } = message;
    const at = timestamp(reason.at);
    const what = [type, direction, status, subject?.(reason) ?? null, ...richText(body(reason))];
    yield [
      id,
      random.restart(id).uuid(),
      at,
      at,
      ...what,
      addressesOf(message, reason),
      reason.applicationId,
      reason.userId,
      reason.authorId,
      templateId ?? null,
      status === 'sent' ? at : null,
      failedReason ?? null,
    ];
  }
}

/**
 * Yields the history entries of messages to candidates.
 * @param {readonly Reason[]} reasons
 * @returns {import('./history.mjs').Entry[]}
 */
export const sendings = (reasons) =>
  written(reasons).flatMap(({ id, reason: { applicationId, authorId, at }, message: { type, direction, status } }) => {
    if (type === 'note' || direction === 'inbound' || status !== 'sent') return [];
    return [
      {
        subjectType: 'application',
        subjectId: applicationId,
        type: 'comm_sent',
        at,
        by: authorId,
        changes: [{ path: '/communication', old: null, new: { id } }],
      },
    ];
  });
