import { type Message } from '@ats/message';

/** Codes of `RichTextError`. They never change. */
export type RichTextErrorCode = 'too_long' | 'too_many_tags' | 'result_too_long';

/** A text exceeds a limit. `message` is the English text of `info`. */
export class RichTextError extends Error {
  override readonly name = 'RichTextError';

  constructor(
    readonly code: RichTextErrorCode,
    /** States what was expected and what was found. */
    readonly info: Message,
  ) {
    super(String(info));
  }
}
