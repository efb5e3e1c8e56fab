import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { type Environment } from '../config/env.js';
import { Problem } from '../vocabulary/problem.js';

const TIMEOUT_MS = 5_000;

/** The answer of a challenge service. The codes say why it refuses a request. */
const answerSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).optional() });

/** The codes with which a service refuses the secret of the API. Another code with `secret` is about the proof. */
const SECRET_REFUSED = /^(missing|invalid)-input-secret$/;

/**
 * Asks a challenge service whether a proof is valid, with the request `siteverify` that hCaptcha, reCAPTCHA and
 * Turnstile share. Source: docs/reference/public-board.md, "Proofs of a challenge service".
 */
@Injectable()
export class Challenges {
  readonly #log = new Logger('public boards');

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /** The public key for careers pages. Undefined when applications need no proof. */
  get siteKey(): string | undefined {
    return this.environment.BOARD_CHALLENGE_SITE_KEY;
  }

  /**
   * Returns true for a valid proof, which the service accepts only once, and true when applications need no proof.
   * @throws {Problem} 503 when the service gives no result
   */
  async isProven(proof: string): Promise<boolean> {
    const { BOARD_CHALLENGE_URL: url, BOARD_CHALLENGE_SECRET: secret = '' } = this.environment;
    if (url === undefined) return true;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: proof }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { success, 'error-codes': codes = [] } = answerSchema.parse(await response.json());
      if (codes.some((code) => SECRET_REFUSED.test(code))) throw new Error('it refuses BOARD_CHALLENGE_SECRET');
      return success;
    } catch (error) {
      this.#log.error(`the challenge service gave no result: ${reasonOf(error)}`);
      throw new Problem(503, message`The service is not available at the moment`);
    }
  }
}

/** Returns a reason without the body of the answer, which may repeat the proof. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'it sent no JSON with success';
  const { message: text, cause } = error as Error;
  return cause instanceof Error ? `${text}: ${cause.message}` : text;
}
