import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENT_ROOTS, EVENT_TYPES, eventTypeOf, hasPast } from './event-types.js';
import { getObjectType } from './object-model.js';

const page = readFileSync(join(__dirname, '../../../../docs/reference/notifications.md'), 'utf8');

describe('the event types', () => {
  it('are all in docs/reference/notifications.md, with their roots', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|.*\| `(\w+)` \|$/gm)].map(([, type, root]) => [type, root]);
    expect(Object.fromEntries(rows)).toEqual(EVENT_ROOTS);
  });

  it('have the name of an object type as their root', () => {
    for (const type of EVENT_TYPES) expect(getObjectType(EVENT_ROOTS[type]).name).toBe(EVENT_ROOTS[type]);
  });

  it('are found by the object type and the kind of change', () => {
    expect(eventTypeOf('vacancy', 'update')).toBe('VACANCY_UPDATE');
    expect(eventTypeOf('vacancy', 'form_values')).toBeUndefined();
    expect(eventTypeOf('layout', 'update')).toBeUndefined();
  });

  it('have names that tell the command line whether their events store former values', () => {
    for (const type of EVENT_TYPES)
      expect([type, hasPast(type)]).toEqual([type, /^STATE_CHANGE_|_UPDATE$|^FORM_VALUES_CHANGE$/.test(type)]);
  });
});
