import { type BodyMedia, type VersionChange } from './declaration.js';

/**
 * The conversion of requests and answers of one endpoint for one older version. It combines the changes of all newer
 * versions, in order.
 */
export interface Adaptation<Settings = unknown> {
  /** The media type of request bodies in the older version, when it differs from that of the newest version. */
  readonly media?: BodyMedia;
  /** Converts the request body of the older version to the newest version. Undefined when no conversion is needed. */
  readonly requestBody?: (body: unknown) => unknown;
  /** Converts the JSON text of an answer to the older version. */
  readonly answerBody?: (json: string, settings: Settings) => string;
  /** True when `answerBody` may get the bytes of an answer decoded as Latin-1. See `ResponseDown.isBodyAscii`. */
  readonly isAnswerAscii?: boolean;
  /** Converts the JSON text of an error answer to the older version. It runs before `violationPath`. */
  readonly errorBody?: (json: string, settings: Settings) => string;
  /** Converts the JSON pointer of a violation to the older version. */
  readonly violationPath?: (pointer: string) => string;
  /** Converts header values to the older version. The keys are header names in lower case. */
  readonly answerHeaders: Readonly<Record<string, (value: string, settings: Settings) => string>>;
}

/**
 * Combines changes into an adaptation.
 * @param changes  oldest first. They convert a request in this order, and an answer in the reverse order.
 * @returns null when the changes affect neither requests nor answers
 */
export function toAdaptation<Settings>(
  changes: readonly Pick<VersionChange<string, unknown, Settings>, 'request' | 'response'>[],
): Adaptation<Settings> | null {
  const requests = changes.flatMap(({ request }) => request ?? []);
  const responses = changes.flatMap(({ response }) => response ?? []).reverse();
  if (requests.length === 0 && responses.length === 0) return null;
  const media = requests.find((request) => request.media)?.media;
  const requestBody = chain(requests.flatMap(({ body }) => body ?? []));
  const answerBody = chain(responses.flatMap(({ body }) => body ?? []));
  const errorBody = chain(responses.flatMap(({ errorBody }) => errorBody ?? []));
  const violationPath = chain(responses.flatMap(({ violationPath }) => violationPath ?? []));
  const names = new Set(responses.flatMap(({ headers = {} }) => Object.keys(headers)));
  const header = (name: string) => chain(responses.flatMap(({ headers }) => headers?.[name] ?? []));
  return {
    ...(media && { media }),
    ...(requestBody && { requestBody }),
    ...(answerBody && {
      answerBody,
      isAnswerAscii: responses.every(({ body, isBodyAscii }) => !body || isBodyAscii === true),
    }),
    ...(errorBody && { errorBody }),
    ...(violationPath && { violationPath }),
    answerHeaders: Object.fromEntries([...names].flatMap((name) => [[name, header(name)] as const]).filter(isPresent)),
  };
}

type Step<Value, Settings extends readonly unknown[]> = (value: Value, ...settings: Settings) => Value;

/** Combines steps into one function that calls them in order. Returns undefined when there are no steps. */
function chain<Value, Settings extends readonly unknown[]>(
  steps: readonly Step<Value, Settings>[],
): Step<Value, Settings> | undefined {
  if (steps.length <= 1) return steps[0];
  return (value, ...settings) => steps.reduce((current, step) => step(current, ...settings), value);
}

const isPresent = <Value>(entry: readonly [string, Value | undefined]): entry is readonly [string, Value] =>
  entry[1] !== undefined;
