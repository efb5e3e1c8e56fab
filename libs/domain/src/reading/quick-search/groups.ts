import { applications, eventApplications } from '../../objects/application.model.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { type Resource } from '../../vocabulary/resource.js';
import { events, vacancies } from '../../objects/opportunity.model.js';
import { postings } from '../../objects/posting.model.js';
import { candidates } from '../../objects/user.model.js';

/** Finds one object by the exact value of a unique attribute. */
export interface UniqueKey {
  /**
   * The object that has the attribute: `item` is the found item itself, `compared` is the object whose words are
   * searched.
   */
  readonly of: 'compared' | 'item';
  /** SQL of a condition on the row `alias`. PostgreSQL finds the row with a unique index. */
  readonly sql: (alias: string, parameter: string) => string;
  /** Converts the searched text to a value of the attribute. */
  readonly read: (text: string) => string;
}

/** One list in the answer of quick search. It says which attributes are searched and which ones the answer shows. */
export interface QuickSearchGroup {
  readonly name: string;
  readonly resource: Resource;
  /**
   * The object type whose words are searched: the type of the items, or of an object that each item refers to, such as
   * an application's candidate.
   */
  readonly compared: ObjectType;
  /** The attributes of `compared` whose words are in the column `quick_search_text`. */
  readonly attributes: readonly string[];
  /**
   * The column of an item that has the id of the related object whose words are searched. Absent when the words of the
   * item itself are searched.
   */
  readonly keyColumn?: string;
  /**
   * True when all words of `compared` may find the item. False when only words that the item's representation shows may
   * find it.
   */
  readonly showsAll: boolean;
  readonly keys: readonly UniqueKey[];
  /** Datapath of the title. The representation of the item must show its value. */
  readonly title: string;
  /** Datapaths whose values together form the subtitle. The representation of the item must show their values. */
  readonly subtitle: readonly string[];
}

const email: UniqueKey = {
  of: 'compared',
  sql: (alias, parameter) => `lower(${alias}.email) = lower(${parameter})`,
  read: (text) => text,
};

/**
 * Finds an application by its reference. Reads `APP-00001234` in upper or lower case, `app 1234`, `#1234` and `1234`.
 */
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
  // The preferred name is not searched, because the representation of an application does not show it.
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

/** The groups of quick search, in the order of the answer. Source: docs/reference/search.md. */
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
