/**
 * Event types, each with the object type of its subject. The datapaths in the expressions of its topics begin with this
 * object type.
 * Source: docs/reference/notifications.md.
 */
export const EVENT_ROOTS = {
  POSTING_CREATE: 'posting',
  POSTING_UPDATE: 'posting',
  POSTING_DELETE: 'posting',
  STATE_CHANGE_APPLICATION: 'application',
  STATE_CHANGE_OPPORTUNITY: 'opportunity',
} as const;

export type EventType = keyof typeof EVENT_ROOTS;
export type EventSubject = (typeof EVENT_ROOTS)[EventType];

export const EVENT_TYPES = Object.keys(EVENT_ROOTS) as readonly EventType[];
