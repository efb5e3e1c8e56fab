import { API_PREFIX } from '@ats/domain';
import { expect } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { comparable, type Json } from './answer-differences.js';
import { type Api, type Method, type RequestOptions } from '../support/api-harness.js';
import { encoded } from '../support/encoded-body.js';
import { eventually } from '../support/eventually.js';
import { Factories } from '../support/factories.js';
import { isRead } from '../support/collection-calls.js';
import { addressOf, type Call, type MakeCall } from '../support/openapi-calls.js';
import { type AnswerChecker, readDocument } from '../support/answer-checker.js';
import { bodyOf, type OpenApiDocument, type Operation } from '../support/openapi-document.js';

/** One way to call an operation. */
export interface Sample {
  /** Method and path, such as `GET /api/v1/candidates/{id}`. */
  readonly operation: string;
  /** Says how this call differs from the default call of the operation. Empty for the default call. */
  readonly title: string;
  readonly make: MakeCall;
}

/** The outcome of one call in one version. */
export interface Outcome {
  readonly sample: Sample;
  readonly version: string;
  readonly answer: Answer;
  /** The operation in the OpenAPI document of the version. */
  readonly operation: Operation | undefined;
  /** Differences between the answer and the OpenAPI document of the version. */
  readonly violations: readonly string[];
  /** The request and the answer, without values that differ even between two exchanges of the same request. */
  readonly comparable: Json;
}

/** The OpenAPI document of one version. */
export interface Reference {
  readonly version: string;
  readonly document: OpenApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly checker: AnswerChecker;
}

export async function referenceOf(api: Api, version: string): Promise<Reference> {
  const { text } = await api.request('GET', `/openapi.json?version=${version}`, { token: null });
  const { document, operations, checker } = readDocument(text);
  return { version, document, operations: new Map(operations.map((one) => [one.name, one])), checker };
}

/**
 * Sends the same request to every version. All versions read the same rows. Each writes to rows of its own, which are
 * created in the same way for each version.
 */
export class EveryVersion {
  readonly #make: Factories;

  constructor(
    private readonly api: Api,
    private readonly references: readonly Reference[],
  ) {
    this.#make = new Factories(api);
  }

  /**
   * Returns one outcome for each version, in the order of `references`. A path outside the prefix of the API is called
   * only in versions whose document has it.
   * @param isAsked  returns true for the versions to call
   */
  async outcomesOf(sample: Sample, isAsked: (version: string) => boolean): Promise<readonly Outcome[]> {
    const path = sample.operation.split(' ')[1] ?? '';
    const asking = this.references.filter(
      ({ version, operations }) =>
        isAsked(version) && (operations.has(sample.operation) || path.startsWith(API_PREFIX)),
    );
    const shared = isRead(sample.operation) ? await sample.make(this.#make, {}) : undefined;
    const calls = await Promise.all(
      asking.map(
        async ({ operations }) =>
          shared ?? sample.make(this.#make, exampleOf(bodyIn(operations.get(sample.operation)))),
      ),
    );
    if (path.includes('/audit_entries')) await this.#auditsWritten();
    const outcomes: Outcome[] = [];
    // Sends the requests one after the other, because `#written` counts the rows that each request adds. Besides,
    // concurrent reads of the event feed wait for each other's lock, and a read that waits longer than 250 ms gets an
    // empty feed.
    for (const [index, reference] of asking.entries())
      outcomes.push(await this.#outcomeOf(sample, reference, calls[index] ?? {}));
    return outcomes;
  }

  /** Waits until the audit entries of earlier reads are stored, so that all versions list the same entries. */
  #auditsWritten(): Promise<void> {
    return eventually(async () => {
      const { text } = await this.api.request('GET', '/metrics', { token: null });
      expect(text).toMatch(/^\w*audit_buffer_entries(?:{.*})? 0$/m);
    });
  }

  async #outcomeOf(sample: Sample, { version, operations, checker }: Reference, call: Call): Promise<Outcome> {
    const [method = '', path = ''] = sample.operation.split(' ');
    const isReading = isRead(sample.operation);
    const operation = operations.get(sample.operation);
    const body = bodyIn(operation);
    const options = requestOf(call, version, body?.type);
    const before = isReading ? undefined : await this.#written();
    const answer = await this.api.request(
      method as Method,
      addressOf(path, call),
      operation?.security?.length === 0 ? { ...options, token: null } : options,
    );
    const request = { type: body?.type ?? null, body: (call.body ?? null) as Json };
    const effects = before ? added(before, await this.#written()) : {};
    return {
      sample,
      version,
      answer,
      operation,
      violations: operation ? checker.violationsOf(operation, answer) : [],
      comparable: comparable({ request, answer, effects }, isReading),
    };
  }

  /**
   * Counts the e-mails, events and history entries in the database. The difference shows which of them a request adds.
   */
  async #written(): Promise<Counts> {
    const [row] = await this.api.database.query<Counts>(
      `SELECT (SELECT count(*) FROM outgoing_mails)::integer AS mails,
         (SELECT count(*) FROM domain_events)::integer AS events,
         (SELECT count(*) FROM history_entries)::integer AS history_entries`,
    );
    return row ?? {};
  }
}

type Counts = Readonly<Record<string, number>>;

const added = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));

type Body = NonNullable<ReturnType<typeof bodyOf>>;
const MULTIPART = 'multipart/form-data';

const bodyIn = (operation: Operation | undefined): Body | undefined => operation && bodyOf(operation);

/** Returns the example of a body as an object. In a multipart example, each part is a JSON text. */
function exampleOf(body: Body | undefined): Readonly<Record<string, unknown>> {
  const { example = {}, type } = body ?? {};
  return type === MULTIPART
    ? Object.fromEntries(Object.entries(example).map(([name, text]) => [name, JSON.parse(String(text)) as unknown]))
    : example;
}

/**
 * Makes the options of a call in one version: the `Api-Version` header, and the body in the media type of the version's
 * document.
 */
function requestOf({ body }: Call, version: string, type = 'application/json'): RequestOptions {
  const sent = body ? encoded(body, type) : {};
  return { ...sent, headers: { ...sent.headers, 'api-version': version } };
}
