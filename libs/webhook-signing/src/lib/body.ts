/** A body as the sender holds it (text) or as a receiver gets it (the raw bytes). Text is signed as UTF-8. */
export type WebhookBody = string | Uint8Array;
