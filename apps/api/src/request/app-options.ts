/** Options that tests and benchmarks set when they create the app. */
export interface AppOptions {
  /**
   * Defaults to true. False serves the newest minor version only, so that benchmarks can measure the cost of versions.
   */
  readonly versioning?: boolean;
}
