/** Limits that bound the cost of hostile texts. */
export const MAIL_MERGE_LIMITS = Object.freeze({
  /** Placeholders in one text, including invalid ones. */
  placeholders: 200,
} as const);
