/** Limits that bound the cost of hostile texts. */
export const MAIL_MERGE_LIMITS = Object.freeze({
  /** Maximum number of placeholders in one text, including invalid ones. */
  placeholders: 200,
} as const);

/** The limits that a caller of `parseTemplate` may set. */
export type MailMergeLimits = Readonly<Record<'placeholders', number>>;
