import { type Message } from '@ats/message';

export type RichTextErrorCode = 'too_long' | 'too_many_tags' | 'result_too_long';

/** A text that is too much; `message` is `info` in English. */
export class RichTextError extends Error {
  override readonly name = 'RichTextError';

  constructor(
    readonly code: RichTextErrorCode,
    /** What was expected and what was found. */
    readonly info: Message,
  ) {
    super(String(info));
  }
}
