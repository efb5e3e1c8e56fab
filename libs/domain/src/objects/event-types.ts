/**
 * What subscribers can be told of, with the object type that each event is about: the root of its topics' expressions.
 * Source: SPEC.md 6.1; the root of opportunities is CONTRACT.md 6.
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
