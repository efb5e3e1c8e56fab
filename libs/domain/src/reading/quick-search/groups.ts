import { applications, eventApplications } from '../../objects/application.model.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { type Resource } from '../../vocabulary/resource.js';
import { events, vacancies } from '../../objects/opportunity.model.js';
import { postings } from '../../objects/posting.model.js';
import { candidates } from '../../objects/user.model.js';

/** Finds one object by the exact value of a unique attribute. */
export interface UniqueKey {
  /** The object with the attribute: the compared object or the item itself. */
  readonly of: 'compared' | 'item';
  /** SQL of the condition on the row `alias`, which a unique index serves. */
  readonly sql: (alias: string, parameter: string) => string;
  /** Converts a search text to a value of the attribute. */
  readonly read: (text: string) => string;
}

/** One list in the answer of quick search, with the attributes that find an item and those that it shows. */
export interface QuickSearchGroup {
  readonly name: string;
  readonly resource: Resource;
  /** The type whose words are compared: the type of the items, or of an object to which each item leads. */
  readonly compared: ObjectType;
  /** The attributes of `compared` whose words are in the column `quick_search_text`. */
  readonly attributes: readonly string[];
  /** The column of the items with the id of the compared object, if that is another object. */
  readonly keyColumn?: string;
  /** False when an item must not be found by words that its representation does not show. */
  readonly showsAll: boolean;
  readonly keys: readonly UniqueKey[];
  /** Datapath of the title. The representation of the item must show its value. */
  readonly title: string;
  /** Datapaths of the parts of the subtitle. The representation of the item must show their values. */
  readonly subtitle: readonly string[];
}

const email: UniqueKey = {
  of: 'compared',
  sql: (alias, parameter) => `lower(${alias}.email) = lower(${parameter})`,
  read: (text) => text,
};

/** Reads `APP-00001234` in any case, `app 1234`, `#1234` and `1234`. */
const applicationReference: UniqueKey = {
  of: 'item',
  sql: (alias, parameter) => `${alias}.reference = ${parameter}`,
  read: (text) => {
    const number = /^(?:#|app[- ]?)?0*(\d{1,15})$/i.exec(text)?.[1];
    return number === undefined ? text : `APP-${number.padStart(8, '0')}`;
  },
};

const named = ['firstname', 'lastname', 'email'];

const ofApplications = {
  compared: candidates.type,
  attributes: named,
  keyColumn: 'user_id',
  // The representation of an application does not show the preferred name.
  showsAll: false,
  keys: [applicationReference, email],
  title: 'user.fullname',
  subtitle: ['opportunity.title', 'main_process_state.state.name'],
};

const ofOpportunities = {
  attributes: ['title', 'reference'],
  showsAll: true,
  keys: [],
  title: 'title',
  subtitle: ['reference', 'location', 'state.name'],
};

/** The groups in the order of the answer. Source: docs/reference/search.md. */
export const QUICK_SEARCH_GROUPS: readonly QuickSearchGroup[] = [
  {
    name: 'candidates',
    resource: candidates,
    compared: candidates.type,
    attributes: [...named, 'preferred_name'],
    showsAll: true,
    keys: [email],
    title: 'fullname',
    subtitle: ['email'],
  },
  { name: 'vacancies', resource: vacancies, compared: vacancies.type, ...ofOpportunities },
  { name: 'events', resource: events, compared: events.type, ...ofOpportunities },
  {
    name: 'postings',
    resource: postings,
    compared: postings.type,
    attributes: ['title'],
    showsAll: true,
    keys: [],
    title: 'title',
    subtitle: ['posting_loc_meth.post_loc_vac.location'],
  },
  { name: 'vacancy_applications', resource: applications, ...ofApplications },
  { name: 'event_applications', resource: eventApplications, ...ofApplications },
];
