import { type Message } from '@ats/message';

/** Codes of `RichTextError`. They never change. */
export type RichTextErrorCode = 'too_long' | 'too_many_tags' | 'result_too_long';

/** A text exceeds a limit. `message` is the English text of `violation.message`. */
export class RichTextError extends Error {
  /** The name of the class. */
  override readonly name = 'RichTextError';

  /** The code, and a text that states what was expected and what was found. */
  readonly violation: { readonly code: RichTextErrorCode; readonly message: Message };

  /** Names the kind of the fault for programs. */
  readonly code: RichTextErrorCode;

  constructor(code: RichTextErrorCode, message: Message) {
    super(String(message));
    this.code = code;
    this.violation = { code, message };
  }
}
