import { type JsonSchema } from '../reading/representation-schema.js';
import { type ReadSettings } from '../reading/representation-sql.js';

/**
 * A part of the representation that is in no row: every item has the same, which follows from the settings that it is read with.
 * No datapath leads to it, so that nothing can be searched or sorted by it.
 */
export interface SettingsProperty {
  readonly schema: JsonSchema;
  readonly read: (settings: ReadSettings) => unknown;
}
