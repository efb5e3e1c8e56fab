import { message, type Message } from '@ats/message';
import { CursorCodec } from '@ats/pagination';
import { Injectable } from '@nestjs/common';

/**
 * Minimum age in ms of the token of a form. When an application has a younger token, a program has filled in the form.
 */
const MIN_FORM_MS = 2_000;
/** Maximum age in ms of the token of a form. The form may have changed since an older token was made. */
const MAX_FORM_MS = 24 * 60 * 60 * 1_000;

/** Makes and opens the tokens of public boards, which clients can neither read nor forge. */
@Injectable()
export class BoardTokens {
  constructor(private readonly cursors: CursorCodec) {}

  /** Makes the token of a form. The token contains the time at which the client read the form of the posting. */
  ofForm(postingId: number): string {
    return this.#seal(String(Date.now()), formOf(postingId));
  }

  /** Returns the reason why the token of a form is refused. Undefined for a valid token. */
  formFault(token: string, postingId: number): Message | undefined {
    const age = Date.now() - Number(this.#open(token, formOf(postingId)) ?? NaN);
    if (age >= MIN_FORM_MS && age <= MAX_FORM_MS) return undefined;
    return age < MIN_FORM_MS
      ? message`the form was sent too soon after it was read: send the same request again in ${MIN_FORM_MS / 1_000} s`
      : message`expected the token of a form of this posting that was read in the last ${24} hours`;
  }

  /** Makes the token of a document that was uploaded for a posting. */
  ofDocument(id: number, postingId: number): string {
    return this.#seal(String(id), documentOf(postingId));
  }

  /** Returns the id of the document that a token names. Undefined when the token is not one of the posting. */
  documentId(token: string, postingId: number): number | undefined {
    const id = this.#open(token, documentOf(postingId));
    return id === undefined ? undefined : Number(id);
  }

  #seal(value: string, purpose: string): string {
    return this.cursors.seal({ keys: [value] }, purpose) ?? '';
  }

  #open(token: string, purpose: string): string | undefined {
    const opened = this.cursors.open(token, purpose);
    return opened.violation ? undefined : (opened.keys[0] ?? undefined);
  }
}

const formOf = (postingId: number): string => `application form of posting ${postingId}`;
const documentOf = (postingId: number): string => `document for posting ${postingId}`;
