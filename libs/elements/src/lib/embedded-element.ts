import { type Client, createClient } from '@ats/client';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { type Language, languageOf } from './languages.js';

/**
 * The base class of the elements. A page sets `client`, or `address` and `token`. The element renders into a shadow
 * tree, so that the styles of page and element do not affect each other.
 */
export class EmbeddedElement extends LitElement {
  /** A client of `@ats/client`. It replaces `address` and `token`. */
  @property({ attribute: false }) client: Client | undefined;
  /** The address of the service, such as `https://ats.example.com`. */
  @property() address = '';
  /** The token of a credential. Set it as a property, so that it is not in the HTML of the page. */
  @property() token = '';
  /** One of `en`, `de`, `fr`, `es` and `ar`. The default is the language of the surrounding elements. */
  @property({ attribute: 'language' }) languageTag = '';
  #own: { readonly key: string; readonly client: Client } | undefined;

  /** The language in which the element shows its texts. */
  get language(): Language {
    return languageOf(this.languageTag || this.closest<HTMLElement>('[lang]')?.lang);
  }

  set language(tag: string) {
    this.languageTag = tag;
  }

  /** The client of the page, or one for `address` and `token`. It is undefined while neither is set. */
  protected get connection(): Client | undefined {
    if (this.client) return this.client;
    if (this.address === '' || this.token === '') return undefined;
    const key = JSON.stringify([this.address, this.language]);
    if (this.#own?.key !== key) {
      const headers = { 'Accept-Language': this.language };
      const send = (request: Request): Promise<Response> => fetch(request, { credentials: 'omit' });
      this.#own = {
        key,
        client: createClient({ baseUrl: this.address, token: () => this.token, headers, fetch: send }),
      };
    }
    return this.#own.client;
  }

  /** Dispatches an event that the page can also receive at the elements around this one. */
  protected raise(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Tells the page about an error, which the element also shows. */
  readonly onError = (error: unknown): void => this.raise('problem', error);
}

/** The properties that decide which client the element uses. */
export const CONNECTION = ['client', 'address', 'token'] as const;
