import { expect } from '@jest/globals';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';

type Response = Awaited<ReturnType<NestFastifyApplication['inject']>>;

/** The representation of an item. Every resource has `id` and `url`. */
export interface Item {
  readonly id: number;
  readonly url: string;
  readonly [name: string]: unknown;
}

/** Returns the expected id, UUID, URL and times of a new item. Use it with `toEqual`. */
export const identityOf = ({ created_dt }: Item, url: string): object => ({
  id: expect.any(Number),
  uuid: expect.any(String),
  url,
  created_dt: expect.any(String),
  updated_dt: created_dt,
});

/** The body of an error: docs/reference/errors.md, "Error body". */
export interface ProblemBody {
  readonly message: string;
  readonly limit?: string;
  readonly request_id: string;
  readonly errors?: readonly {
    readonly resource: string;
    readonly path: string;
    readonly parameter?: string;
    readonly code: string;
    readonly info?: string;
    readonly existing?: { readonly id: number; readonly url: string };
  }[];
}

/** An answer of the API, with typed views of its body. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as it was sent, possibly compressed. */
  readonly bytes: Buffer;

  constructor({ statusCode, headers, payload, rawPayload }: Response) {
    this.status = statusCode;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
    );
    this.text = payload;
    this.bytes = rawPayload;
  }

  get json(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  get item(): Item {
    return this.json as Item;
  }

  get items(): readonly Item[] {
    return this.json as readonly Item[];
  }

  get problem(): ProblemBody {
    return this.json as ProblemBody;
  }

  /** The violations, each as `<code> <path>`, or as `<code> ?<parameter>` for a query parameter. */
  get violations(): readonly string[] {
    return (this.problem.errors ?? []).map(
      ({ code, path, parameter }) => `${code} ${parameter === undefined ? path : `?${parameter}`}`,
    );
  }

  get etag(): string {
    return this.headers['etag'] ?? '';
  }
}
