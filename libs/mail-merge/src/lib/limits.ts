/** The greatest sizes accepted; they bound what hostile text costs. */
export const MAIL_MERGE_LIMITS = {
  /** Placeholders of one text, faulty ones included. */
  placeholders: 200,
} as const;
