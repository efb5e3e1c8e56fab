/** How the app is made, beside its environment. */
export interface AppOptions {
  /** Unless false. Without it every request is one of the newest version, as if there were no other: to measure what versions cost. */
  readonly versioning?: boolean;
}
