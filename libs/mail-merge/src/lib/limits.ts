/** Limits that bound the cost of hostile texts. */
export const MAIL_MERGE_LIMITS = {
  /** Placeholders in one text, including invalid ones. */
  placeholders: 200,
} as const;
