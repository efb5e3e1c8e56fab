import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WebhookSigningErrorCode } from '../src/index.js';

export interface SignatureVector {
  readonly name: string;
  readonly body_base64: string;
  readonly header: string;
  readonly keys: readonly string[];
  readonly tolerance_seconds: number;
  /** The time of the verification, in Unix seconds. */
  readonly now: number;
  /** The code of the expected error. Null for a genuine message. */
  readonly code: WebhookSigningErrorCode | null;
}

export interface StandardWebhookVector {
  readonly name: string;
  readonly id: string;
  readonly body_base64: string;
  readonly sent_at: string;
  readonly keys: readonly string[];
  readonly secrets: readonly string[];
  readonly webhook_timestamp: string;
  readonly webhook_signature: string;
}

interface Vectors {
  readonly signatures: readonly SignatureVector[];
  readonly standard_webhooks: readonly StandardWebhookVector[];
}

/** Reads the vectors that `make-vectors.py` has made. */
export function readVectors(): Vectors {
  return JSON.parse(readFileSync(join(__dirname, 'vectors.json'), 'utf8')) as Vectors;
}
