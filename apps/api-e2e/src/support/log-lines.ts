import { type App } from './app.js';

/** The lines of an app about a request, of what is kept of its output. */
export const linesOf = ({ output }: App, requestId: string): readonly Readonly<Record<string, unknown>>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"request_id":${JSON.stringify(requestId)}`) && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
