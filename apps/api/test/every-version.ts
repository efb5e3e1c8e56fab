import { API_PREFIX } from '@ats/domain';
import { type Answer } from './answer.js';
import { comparable, type Json } from './answer-differences.js';
import { type Api, type Method, type RequestOptions } from './api-harness.js';
import { encoded } from './encoded-body.js';
import { Factories } from './factories.js';
import { addressOf, type Call, type MakeCall } from './openapi-calls.js';
import { AnswerChecker, bodyOf, type OpenApiDocument, type Operation, operationsOf } from './openapi-document.js';

/** One way to call an operation. */
export interface Sample {
  /** `GET /api/v1/candidates/{id}`. */
  readonly operation: string;
  /** What is special about it; empty for the plain call. */
  readonly title: string;
  readonly make: MakeCall;
}

/** What came of a sample in one version. */
export interface Outcome {
  readonly sample: Sample;
  readonly version: string;
  readonly answer: Answer;
  /** The operation as the version's document has it. */
  readonly operation: Operation | undefined;
  /** What that says of the answer. */
  readonly faults: readonly string[];
  /** What was sent and what was answered, without what differs between any two requests. */
  readonly comparable: Json;
}

/** The reference as it is in one version. */
export interface Reference {
  readonly version: string;
  readonly document: OpenApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly checker: AnswerChecker;
}

export async function referenceOf(api: Api, version: string): Promise<Reference> {
  const document = (await api.request('GET', `/openapi.json?version=${version}`, { token: null }))
    .json as OpenApiDocument;
  const operations = new Map(operationsOf(document).map((operation) => [operation.name, operation]));
  return { version, document, operations, checker: new AnswerChecker(document) };
}

/** Asks every version the same: reading, of the same rows; writing, of rows that are made for it and equal. */
export class EveryVersion {
  readonly #make: Factories;

  constructor(
    private readonly api: Api,
    private readonly references: readonly Reference[],
  ) {
    this.#make = new Factories(api);
  }

  /**
   * Oldest version first. What is no part of the versioned interface is asked only where the reference has it.
   * @param isAsked whether a version is asked at all
   */
  async outcomesOf(sample: Sample, isAsked: (version: string) => boolean): Promise<readonly Outcome[]> {
    const [method = '', path = ''] = sample.operation.split(' ');
    const asking = this.references.filter(
      ({ version, operations }) =>
        isAsked(version) && (operations.has(sample.operation) || path.startsWith(API_PREFIX)),
    );
    if (method === 'GET') {
      const call = await sample.make(this.#make, {});
      return Promise.all(asking.map((reference) => this.#outcomeOf(sample, reference, call)));
    }
    const calls = await Promise.all(
      asking.map(({ operations }) => sample.make(this.#make, exampleOf(bodyIn(operations.get(sample.operation))))),
    );
    const outcomes: Outcome[] = [];
    // One after the other: what each writes is counted.
    for (const [index, reference] of asking.entries())
      outcomes.push(await this.#outcomeOf(sample, reference, calls[index] ?? {}));
    return outcomes;
  }

  async #outcomeOf(sample: Sample, { version, operations, checker }: Reference, call: Call): Promise<Outcome> {
    const [method = '', path = ''] = sample.operation.split(' ');
    const isReading = method === 'GET';
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
      faults: operation ? checker.faultsOf(operation, answer) : [],
      comparable: comparable({ request, answer, effects }, isReading),
    };
  }

  /** What a request can do beside its answer. */
  async #written(): Promise<Counts> {
    const [row] = await this.api.database.query<Counts>(
      `SELECT (SELECT count(*) FROM outgoing_mails)::integer AS mails, (SELECT count(*) FROM domain_events)::integer AS events,
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

/** The example of a body, as the values that it is made of. */
function exampleOf(body: Body | undefined): Readonly<Record<string, unknown>> {
  const { example = {}, type } = body ?? {};
  return type === MULTIPART
    ? Object.fromEntries(Object.entries(example).map(([name, text]) => [name, JSON.parse(String(text)) as unknown]))
    : example;
}

/** The call in the form of a version: its header, and the body written in what its document says. */
function requestOf({ body }: Call, version: string, type = 'application/json'): RequestOptions {
  const sent = body ? encoded(body, type) : {};
  return { ...sent, headers: { ...sent.headers, 'api-version': version } };
}
