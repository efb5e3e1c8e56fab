import { type Message } from '@ats/message';

/** Codes of `RichTextError`. They never change. */
export type RichTextErrorCode = 'too_long' | 'too_many_tags' | 'result_too_long';

/** The error for a text that exceeds a limit. `message` is the English text of `violation.message`. */
export class RichTextError extends Error {
  /** The name of the class. */
  override readonly name = 'RichTextError';

  /** The code, and a text that says what was expected and what was found. */
  readonly violation: { readonly code: RichTextErrorCode; readonly message: Message };

  /** The code of the error, for programs. */
  readonly code: RichTextErrorCode;

  constructor(code: RichTextErrorCode, message: Message) {
    super(String(message));
    this.code = code;
    this.violation = { code, message };
  }
}
