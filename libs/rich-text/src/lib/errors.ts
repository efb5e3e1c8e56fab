export type RichTextErrorCode = 'too_long' | 'too_many_tags' | 'result_too_long';

/** A text that is too much; `message` says what was expected and what was found. */
export class RichTextError extends Error {
  override readonly name = 'RichTextError';

  constructor(
    readonly code: RichTextErrorCode,
    message: string,
  ) {
    super(message);
  }
}
