/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A minor version of the API. */
export interface ApiVersion {
  readonly version: string;
  /** Release date, `YYYY-MM-DD`. */
  readonly date: string;
  /** The newest `stable` version is the default. A `preview` version may still change. */
  readonly status: 'stable' | 'preview';
}

/** The settings of a request that a representation can show as properties. */
export interface ShownSettings {
  /** The minor versions that the representation of a system lists. */
  readonly apiVersions?: readonly ApiVersion[];
}

/**
 * A property of the representation that comes from the settings of the request and not from a row. It is the same for
 * every item.
 */
export interface SettingsProperty {
  readonly schema: JsonSchema;
  readonly read: (settings: ShownSettings) => unknown;
  /**
   * Maps JSON pointers to datapaths, for each value of the property that clients can search. The pointer begins at the
   * property, and the datapath begins at the item.
   */
  readonly fields?: Readonly<Record<string, string>>;
}
