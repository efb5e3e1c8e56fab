import XMLBuilder from 'fast-xml-builder';
import { pageOf, placeOf } from './job-posting.js';
import { type PostingsPage } from './board-reader.js';

type Feed = Pick<PostingsPage, 'board' | 'postings'>;

export interface FeedUrls {
  /** URL of the feed. */
  readonly self: string;
  /** URL of a posting in this API. */
  readonly postingUrl: (id: number) => string;
}

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
});

/** Matches the characters that XML 1.0 does not allow. */
const NOT_XML = /[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu;

const text = (value: string): string => value.replaceAll(NOT_XML, '');

/** Writes a text as CDATA, as Indeed requires. */
const cdata = (value: string): object => ({ '#cdata': text(value) });

const dateOf = (day: string): string => new Date(`${day}T00:00:00Z`).toUTCString();

const write = (document: object): string =>
  builder.build({ '?xml': { '@version': '1.0', '@encoding': 'utf-8' }, ...document });

/** Writes a date in the form that Indeed recommends (ISO 8601). */
const momentOf = (day: string): object => cdata(`${day}T00:00:00Z`);

/**
 * The characters that a rich text contains as entities. It has a quotation mark as an entity only in the address of a
 * link.
 */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '%22' };
const ENTITY = new RegExp(`&(${Object.keys(ENTITIES).join('|')});`, 'g');
/** For each character, matches the text after it with which it would begin a tag or an entity. */
const BEGINNING = { '<': /^[a-z/!?]/i, '&': /^#?\w+;/ } as const;

/**
 * Replaces the entities in HTML by their characters, because Indeed reads no entities. Adds a space after a character
 * that would begin a tag or an entity.
 */
function withoutEntities(html: string): string {
  return html.replaceAll(ENTITY, (entity, name: string, at: number) => {
    const character = ENTITIES[name] ?? entity;
    const next = html.slice(at + entity.length);
    const changes = character in BEGINNING && BEGINNING[character as keyof typeof BEGINNING].test(next);
    return changes ? `${character} ` : character;
  });
}

/**
 * Returns the feed that Indeed reads. Source: docs/reference/public-board.md, "The format of Indeed".
 */
export function indeedFeed({ board, postings }: Feed, { postingUrl }: FeedUrls): string {
  const job = postings.map((posting) => {
    const { city, region, country } = placeOf(posting.location);
    return {
      title: cdata(posting.title),
      date: momentOf(posting.opening_date),
      referencenumber: cdata(`${board.code}-${posting.id}`),
      requisitionid: cdata(posting.reference),
      url: cdata(pageOf({ board, posting }, postingUrl(posting.id))),
      company: cdata(board.organisation),
      sourcename: cdata(board.organisation),
      ...(city !== undefined && { city: cdata(city) }),
      ...(region !== undefined && { state: cdata(region) }),
      ...(country !== undefined && { country: cdata(country) }),
      description: cdata(withoutEntities(posting.description ?? '') || posting.title),
      ...(posting.employment_type !== null && { jobtype: cdata(posting.employment_type) }),
      ...(posting.department !== null && { category: cdata(posting.department) }),
      ...(posting.closing_date !== null && { expirationdate: momentOf(posting.closing_date) }),
    };
  });
  return write({
    source: {
      publisher: cdata(board.organisation),
      ...(board.base_url !== null && { publisherurl: cdata(board.base_url) }),
      ...lastBuild(postings),
      job,
    },
  });
}

/** Returns a feed in RSS 2.0. Source: https://www.rssboard.org/rss-specification. */
export function rssFeed({ board, postings }: Feed, { self, postingUrl }: FeedUrls): string {
  const item = postings.map((posting) => ({
    title: text(posting.title),
    link: text(pageOf({ board, posting }, postingUrl(posting.id))),
    description: text(posting.description_plain ?? posting.title),
    ...(posting.department !== null && { category: text(posting.department) }),
    guid: { '@isPermaLink': 'true', '#text': postingUrl(posting.id) },
    pubDate: dateOf(posting.opening_date),
  }));
  return write({
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      channel: {
        title: text(`${board.organisation}: ${board.name}`),
        link: text(board.base_url ?? self),
        description: text(board.name),
        'atom:link': { '@href': self, '@rel': 'self', '@type': 'application/rss+xml' },
        ...lastBuild(postings),
        item,
      },
    },
  });
}

/** Returns the date of the newest posting. It is not the present time, so that an unchanged feed keeps its `ETag`. */
function lastBuild([newest]: Feed['postings']): { readonly lastBuildDate?: string } {
  return newest ? { lastBuildDate: dateOf(newest.opening_date) } : {};
}
