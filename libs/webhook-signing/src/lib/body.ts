/**
 * The body of a message: the text that the sender signs, or the raw bytes that a receiver gets. Text is signed as
 * UTF-8.
 */
export type WebhookBody = string | Uint8Array;
