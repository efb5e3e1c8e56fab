import { type SettingsProperty } from './settings-property.js';

/** A minor version of the interface. */
export interface ApiVersion {
  readonly version: string;
  /** The day it came out. */
  readonly date: string;
  /** Whether clients can rely on it: the newest `stable` one is the default. */
  readonly status: 'stable' | 'preview';
}

/** What is served, newest first, as the list of versions has it. CONTRACT.md 5, `systems`. */
export const apiVersions: SettingsProperty = {
  schema: {
    type: 'array',
    description:
      'The minor versions that are served, newest first. Requests that name none get the newest `stable` one.',
    items: {
      type: 'object',
      properties: {
        version: { type: 'string', description: 'As `Api-Version` takes it.' },
        date: { type: 'string', format: 'date' },
        status: { type: 'string', enum: ['stable', 'preview'] satisfies ApiVersion['status'][] },
      },
      required: ['version', 'date', 'status'],
      additionalProperties: false,
    },
  },
  read: ({ apiVersions: served = [] }) => served,
};
