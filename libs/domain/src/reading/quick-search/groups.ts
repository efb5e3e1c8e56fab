import { applications, eventApplications } from '../../objects/application.model.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { type Resource } from '../../vocabulary/resource.js';
import { events, vacancies } from '../../objects/opportunity.model.js';
import { postings } from '../../objects/posting.model.js';
import { candidates } from '../../objects/user.model.js';

/** Finds one object by a value that no other has, whatever it looks like. */
export interface UniqueKey {
  /** Of the object whose words are compared, or of the item itself. */
  readonly of: 'compared' | 'item';
  /** The condition on the row `alias` that one of the table's unique indexes answers. */
  readonly sql: (alias: string, parameter: string) => string;
  /** The value that a text may mean. */
  readonly read: (text: string) => string;
}

/** One list in the answer of quick search: what its items are found by and what is shown of them. */
export interface QuickSearchGroup {
  readonly name: string;
  readonly resource: Resource;
  /** The type whose words are compared: that of the items, or one that each of them leads to. */
  readonly compared: ObjectType;
  /** The attributes of that type whose words they are; the column `quick_search_text` of its table holds them. */
  readonly attributes: readonly string[];
  /** The items' column with the id of the compared object, where that is another one. */
  readonly keyColumn?: string;
  /** Attributes among those that who may read the item alone may not read of it are left out. */
  readonly showsAll: boolean;
  readonly keys: readonly UniqueKey[];
  /** Datapaths from an item, to what its representation shows. */
  readonly title: string;
  readonly subtitle: readonly string[];
}

const email: UniqueKey = {
  of: 'compared',
  sql: (alias, parameter) => `lower(${alias}.email) = lower(${parameter})`,
  read: (text) => text,
};

/** `APP-00001234`, in any case, with a blank for the hyphen, or the number, alone or behind a `#`. */
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
  // The preferred name stands in the candidate's representation alone. CONTRACT.md 2.
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

/** In the order of the answer. Source: CONTRACT.md 5, `quick_search`. */
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
