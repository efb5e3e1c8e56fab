import { type BoardPosting } from './board-reader.js';

/**
 * The values of `employmentType`.
 * Source: https://developers.google.com/search/docs/appearance/structured-data/job-posting.
 */
const EMPLOYMENT_TYPES = [
  'FULL_TIME',
  'PART_TIME',
  'CONTRACTOR',
  'TEMPORARY',
  'INTERN',
  'VOLUNTEER',
  'PER_DIEM',
  'OTHER',
] as const;

/**
 * Returns the URL of the posting for people: `<base_url>/<id>` on the website of the board. When the board has no
 * website, it is the URL of the posting in this API.
 */
export function pageOf({ board, posting }: BoardPosting, apiUrl: string): string {
  return board.base_url === null ? apiUrl : `${board.base_url.replace(/\/+$/, '')}/${posting.id}`;
}

interface Place {
  readonly city?: string;
  readonly region?: string;
  readonly country?: string;
}

/**
 * Returns the place of a location such as `Berlin, Germany` or `Austin, TX, USA`. The first part is the city, the last
 * one the country. The parts between them are the region.
 */
export function placeOf(location: string | null): Place {
  const [city, ...others] = (location ?? '').split(',').map((part) => part.trim());
  const country = others.pop();
  const region = others.filter(Boolean).join(', ');
  return { ...(city && { city }), ...(region && { region }), ...(country && { country }) };
}

/** Returns the posting as a `JobPosting` of schema.org, in JSON-LD. Source: https://schema.org/JobPosting. */
export function jobPosting(found: BoardPosting, apiUrl: string): object {
  const { board, posting } = found;
  const { city, region, country } = placeOf(posting.location);
  const type = EMPLOYMENT_TYPES.find(
    (known) =>
      known ===
      posting.employment_type
        ?.trim()
        .toUpperCase()
        .replaceAll(/[\s-]+/g, '_'),
  );
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: posting.title,
    description: posting.description ?? posting.title,
    datePosted: posting.opening_date,
    ...(posting.closing_date !== null && { validThrough: posting.closing_date }),
    identifier: { '@type': 'PropertyValue', name: board.organisation, value: posting.reference },
    hiringOrganization: {
      '@type': 'Organization',
      name: board.organisation,
      ...(board.base_url !== null && { sameAs: board.base_url }),
    },
    ...(city !== undefined && {
      jobLocation: {
        '@type': 'Place',
        address: {
          '@type': 'PostalAddress',
          addressLocality: city,
          ...(region !== undefined && { addressRegion: region }),
          ...(country !== undefined && { addressCountry: country }),
        },
      },
    }),
    ...(type && { employmentType: type }),
    directApply: true,
    url: pageOf(found, apiUrl),
  };
}
