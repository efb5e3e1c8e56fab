import { openActivationToken, type SecretBox, SecretBoxError } from '@ats/domain';
import { activationMessage } from './activation-message.js';
import { type ActivationMail, type ClaimedMail } from './store/claimed-mail.js';

/**
 * Writes activation e-mails. Their text must go only to the mail server, because its link gives access to the account.
 */
export class ActivationMails {
  constructor(
    private readonly secretBox: SecretBox,
    /** The URL of the page that the link opens. */
    private readonly activationUrl: string,
  ) {}

  /**
   * Writes an e-mail.
   * @returns null when the token was encrypted with another `SECRET_KEY`
   */
  write(mail: ActivationMail): ClaimedMail | null {
    const token = this.open(mail);
    return token === null ? null : { ...mail, ...activationMessage({ ...mail, link: this.linkOf(token) }) };
  }

  private linkOf(token: string): string {
    const link = new URL(this.activationUrl);
    link.searchParams.set('token', token);
    return link.href;
  }

  private open({ sealed_token, activation_id }: ActivationMail): string | null {
    try {
      return openActivationToken(sealed_token, activation_id, this.secretBox);
    } catch (error) {
      if (error instanceof SecretBoxError) return null;
      throw error;
    }
  }
}
