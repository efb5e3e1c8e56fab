import { type Answer } from '../support/answer.js';
import { type Api, type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';

export interface Change {
  readonly resource: string;
  readonly id: number;
  readonly uuid: string;
  readonly url: string;
  readonly change: 'created' | 'updated' | 'deleted' | 'anonymised';
  readonly dt: string;
}

export interface ChangesBody {
  readonly items: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

/** Reads the changes feed as a client does. */
export class Feed {
  constructor(
    private readonly api: Api,
    private readonly options: RequestOptions = {},
  ) {}

  /**
   * Sends one request.
   * @returns the answer with any status
   */
  ask(parameters: Readonly<Record<string, string | number>>): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.api.get(`/changes?${query.toString()}`, this.options);
  }

  async read(parameters: Readonly<Record<string, string | number>>): Promise<ChangesBody> {
    return expectStatus(200, await this.ask(parameters)).json as ChangesBody;
  }

  /** Returns the token of the present end of the feed. */
  async now(parameters: Readonly<Record<string, string | number>> = {}): Promise<string> {
    return (await this.read({ ...parameters, since: 'now' })).next;
  }

  /** Reads all changes after a token. */
  async after(since: string, limit = 100): Promise<ChangesBody> {
    const items: Change[] = [];
    for (let token = since; ; ) {
      const page = await this.read({ since: token, limit });
      items.push(...page.items);
      token = page.next;
      if (!page.has_more) return { items, next: token, has_more: false };
    }
  }
}

/** Returns the changes as texts, such as `created job_boards 7`. */
export const namesOf = ({ items }: Pick<ChangesBody, 'items'>): readonly string[] =>
  items.map(({ change, resource, id }) => `${change} ${resource} ${id}`);
