import { getResource } from '../../vocabulary/resource.js';

/** A position in the feed. Reading continues with the change after the id `position`. */
export interface FeedPosition {
  readonly position: number;
  /**
   * Distinguishes two changes with the same id. After a failover that lost changes, the server gives the ids of the
   * lost changes to other changes. Absent in tokens of older releases, and before the first change.
   */
  readonly mark?: string | undefined;
}

/** SQL for the time of a change (the column `dt`) in milliseconds. */
const MS = `(date_part('epoch', dt) * 1000)::bigint`;

/** SQL for the mark of a row of `changes`, see {@link FeedPosition}. */
export const MARK = `${MS} || '-' || left(item_uuid::text, 8)`;

/**
 * SQL for the line of text of a row, with tabs between the values. A trigger stores the line. Older rows have no line,
 * so this SQL makes it. PostgreSQL makes a page of such lines several times as fast as JSON or one row for each change.
 * No value contains a line break or a tab, because JSON escapes them. The last value may be missing.
 */
export const LINE = `coalesce(line, concat_ws(E'\\t', id, resource, item_id, item_uuid, change, ${MS}, keys))`;

/**
 * Minimum number of characters in each part of the JSON text of a page. The text is made in parts, because the engine
 * takes several times as long to join many changes into one large text.
 */
const PART_LENGTH = 8_192;

/** Number of characters of a UUID that is written as text. */
const UUID_LENGTH = 36;

/**
 * A change, and the position after it. The position is computed on demand, because a page of JSON needs only the
 * position after its last change.
 */
export class FoundChange implements FeedPosition {
  /** @param json  the change as JSON. Source: docs/reference/changes.md */
  constructor(
    readonly json: string,
    private readonly line: string,
  ) {}

  get position(): number {
    return positionOf(this.line);
  }

  get mark(): string {
    return markOf(this.line);
  }
}

/** The changes of a page, as the text that PostgreSQL returns. */
export class ChangeLines {
  /**
   * @param text  a `LINE` for each change, with line breaks between them
   * @param size  the number of lines
   */
  constructor(
    private readonly text: string,
    readonly size: number,
    private readonly baseUrl: string,
  ) {}

  /** Returns the lines of all changes except the last one. */
  withoutLast(): ChangeLines {
    return new ChangeLines(this.text.slice(0, Math.max(0, this.#lastStart - 1)), this.size - 1, this.baseUrl);
  }

  /** The position after the last change. Undefined when the page has no changes. */
  get end(): FeedPosition | undefined {
    if (this.size === 0) return undefined;
    const line = this.text.slice(this.#lastStart);
    return { position: positionOf(line), mark: markOf(line) };
  }

  /**
   * Returns the changes as JSON in UTF-8, with commas between them. The JSON is complete when all returned parts are
   * joined.
   */
  toJson(): Buffer[] {
    const parts: Buffer[] = [];
    let part = '';
    let separator = '';
    this.#each((json) => {
      part += separator + json;
      separator = ',';
      if (part.length < PART_LENGTH) return;
      parts.push(Buffer.from(part));
      part = '';
    });
    return [...parts, Buffer.from(part)];
  }

  /** Returns the changes of the page, each with the position after it. */
  toChanges(): FoundChange[] {
    const changes: FoundChange[] = [];
    this.#each((json, start, end) => void changes.push(new FoundChange(json, this.text.slice(start, end))));
    return changes;
  }

  #each(visit: (json: string, start: number, end: number) => void): void {
    const read = lineReader(this.text, this.baseUrl);
    for (let start = 0; start < this.text.length; ) {
      const lineBreak = this.text.indexOf('\n', start);
      const end = lineBreak < 0 ? this.text.length : lineBreak;
      visit(read(start, end), start, end);
      start = end + 1;
    }
  }

  get #lastStart(): number {
    return this.text.lastIndexOf('\n') + 1;
  }
}

const positionOf = (line: string): number => Number(line.slice(0, line.indexOf('\t')));

/**
 * The milliseconds are converted to a number and back to a text. The engine keeps the whole page in memory while a
 * piece of it with more than 12 characters is in use.
 */
function markOf(line: string): string {
  const [, , , uuid = '', , ms = ''] = line.split('\t');
  return `${Number(ms)}-${uuid.slice(0, 8)}`;
}

/** The beginnings that the JSON texts and the URLs of all changes of one resource have in common. */
interface LineStart {
  readonly head: string;
  /** The URL of an item without its id. */
  readonly url: string;
}

/**
 * Returns a function that converts the line between two offsets to JSON. The function finds each value by its offset,
 * because splitting each line into an array takes several times as long. It formats the time only once for successive
 * changes in the same second.
 */
function lineReader(text: string, baseUrl: string): (start: number, end: number) => string {
  const starts = new Map<string, LineStart>();
  let time = { seconds: '', dt: '' };
  return (start, end) => {
    const resourceAt = text.indexOf('\t', start) + 1;
    const idAt = text.indexOf('\t', resourceAt) + 1;
    const uuidAt = text.indexOf('\t', idAt) + 1;
    const changeAt = uuidAt + UUID_LENGTH + 1;
    const msAt = text.indexOf('\t', changeAt) + 1;
    const keysAt = text.indexOf('\t', msAt) + 1;
    const hasKeys = keysAt > 0 && keysAt < end;
    const resource = text.slice(resourceAt, idAt - 1);
    const id = text.slice(idAt, uuidAt - 1);
    const ms = text.slice(msAt, hasKeys ? keysAt - 1 : end);
    const seconds = ms.slice(0, -3);
    if (seconds !== time.seconds) time = { seconds, dt: new Date(Number(ms)).toISOString().slice(0, -4) };
    let known = starts.get(resource);
    if (!known) {
      const url = JSON.stringify(urlOf(resource, { id: 0 }, baseUrl)).slice(0, -2);
      known = { head: `{"resource":${JSON.stringify(resource)},"id":`, url };
      starts.set(resource, known);
    }
    const url = hasKeys
      ? JSON.stringify(urlOf(resource, { ...(JSON.parse(text.slice(keysAt, end)) as Keys), id: Number(id) }, baseUrl))
      : `${known.url}${id}"`;
    const uuid = text.slice(uuidAt, changeAt - 1);
    const change = text.slice(changeAt, msAt - 1);
    return `${known.head}${id},"uuid":"${uuid}","url":${url},"change":"${change}","dt":"${time.dt}${ms.slice(-3)}Z"}`;
  };
}

type Keys = Readonly<Record<string, unknown>>;

function urlOf(name: string, keys: Keys, baseUrl: string): string {
  const { type, fixed } = getResource(name);
  return String(type.attributes['url']?.memory({ ...type.fixed, ...fixed, ...keys }, { ...NO_OTHERS, baseUrl }));
}

/** Placeholders for settings that no URL depends on. */
const NO_OTHERS = { now: new Date(0), timeZone: 'UTC', language: 'en', defaultLanguage: 'en' };
