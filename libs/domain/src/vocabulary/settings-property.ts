/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A minor version of the interface. */
export interface ApiVersion {
  readonly version: string;
  /** The day it came out. */
  readonly date: string;
  /** Whether clients can rely on it: the newest `stable` one is the default. */
  readonly status: 'stable' | 'preview';
}

/** The settings of a request that a representation can show. */
export interface ShownSettings {
  /** The minor versions that a system lists. */
  readonly apiVersions?: readonly ApiVersion[];
}

/**
 * A property of the representation that no row holds: it follows from the settings of the request and is the same for every
 * item. It has no datapath, so nothing can be searched or sorted by it.
 */
export interface SettingsProperty {
  readonly schema: JsonSchema;
  readonly read: (settings: ShownSettings) => unknown;
}
