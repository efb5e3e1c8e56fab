import { type BodyMedia, type VersionChange } from './declaration.js';

/** What is done to one endpoint's requests and answers for one older version: all that its changes ask for, in their order. */
export interface Adaptation<Settings = unknown> {
  /** What a request's body is written in, where that is not what the newest version takes. */
  readonly media?: BodyMedia;
  /** The body of a request, made one of the newest version; absent when nothing is to be done. */
  readonly requestBody?: (body: unknown) => unknown;
  /** The JSON text of an answer, made one of the older version. */
  readonly answerBody?: (json: string, settings: Settings) => string;
  /** The JSON pointer of a fault. */
  readonly faultPath?: (pointer: string) => string;
  /** Values of headers, by their names in lower case. */
  readonly answerHeaders: Readonly<Record<string, (value: string, settings: Settings) => string>>;
}

/**
 * @param changes  oldest first: a request goes through them in this order, an answer in the other
 * @returns null when they change neither requests nor answers
 */
export function toAdaptation<Settings>(
  changes: readonly Pick<VersionChange<string, unknown, Settings>, 'request' | 'response'>[],
): Adaptation<Settings> | null {
  const requests = changes.flatMap(({ request }) => request ?? []);
  const responses = changes.flatMap(({ response }) => response ?? []).reverse();
  if (requests.length === 0 && responses.length === 0) return null;
  const media = requests.find((request) => request.media)?.media;
  const requestBody = inTurn(requests.flatMap(({ body }) => body ?? []));
  const answerBody = inTurn(responses.flatMap(({ body }) => body ?? []));
  const faultPath = inTurn(responses.flatMap(({ faultPath }) => faultPath ?? []));
  const names = new Set(responses.flatMap(({ headers = {} }) => Object.keys(headers)));
  const header = (name: string) => inTurn(responses.flatMap(({ headers }) => headers?.[name] ?? []));
  return {
    ...(media && { media }),
    ...(requestBody && { requestBody }),
    ...(answerBody && { answerBody }),
    ...(faultPath && { faultPath }),
    answerHeaders: Object.fromEntries([...names].flatMap((name) => [[name, header(name)] as const]).filter(isPresent)),
  };
}

type Step<Value, Settings extends readonly unknown[]> = (value: Value, ...settings: Settings) => Value;

/** All of them, one after the other; undefined when there is none. */
function inTurn<Value, Settings extends readonly unknown[]>(
  steps: readonly Step<Value, Settings>[],
): Step<Value, Settings> | undefined {
  if (steps.length <= 1) return steps[0];
  return (value, ...settings) => steps.reduce((current, step) => step(current, ...settings), value);
}

const isPresent = <Value>(entry: readonly [string, Value | undefined]): entry is readonly [string, Value] =>
  entry[1] !== undefined;
