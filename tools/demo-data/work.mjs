// @ts-check

/**
 * Fields of work. A salary is per year in EUR, for a role that is neither junior nor senior.
 *
 * @typedef {object} Field
 * @property {string} department
 * @property {readonly string[]} roles
 * @property {readonly string[]} skills skills, which become tags of candidates
 * @property {number} salary
 * @property {boolean} [hasLevels] true when the field has junior and senior roles
 */

/**
 * Splits a text at its commas.
 * @param {string} text
 */
const list = (text) => text.trim().split(/\s*,\s*/);

/** @type {readonly Field[]} */
export const fields = [
  {
    department: 'Engineering',
    roles: list(
      'Software Engineer, Backend Engineer, Frontend Engineer, Mobile Engineer, Site Reliability Engineer, Test Engineer, Platform Engineer, Security Engineer',
    ),
    skills: list('typescript, java, kotlin, react, postgresql, kubernetes, python, go, testing, c++, c#'),
    salary: 62_000,
    hasLevels: true,
  },
  {
    department: 'Data',
    roles: list('Data Analyst, Data Engineer, Data Scientist, Analytics Engineer, Business Intelligence Developer'),
    skills: list('sql, python, statistics, dashboards, machine learning, spark'),
    salary: 58_000,
    hasLevels: true,
  },
  {
    department: 'Product & Design',
    roles: list('Product Manager, Product Designer, UX Researcher, UX Writer, Technical Writer'),
    skills: list('discovery, prototyping, accessibility, user research, roadmaps'),
    salary: 60_000,
    hasLevels: true,
  },
  {
    department: 'Sales',
    roles: list(
      'Account Manager, Sales Representative, Sales Engineer, Business Development Manager, Key Account Manager',
    ),
    skills: list('negotiation, crm, b2b, french, german, spanish'),
    salary: 50_000,
    hasLevels: true,
  },
  {
    department: 'Marketing',
    roles: list('Marketing Manager, Content Editor, Campaign Manager, Brand Designer, Event Manager'),
    skills: list('copywriting, seo, social media, photography, events'),
    salary: 46_000,
    hasLevels: true,
  },
  {
    department: 'Finance',
    roles: list('Accountant, Financial Controller, Payroll Specialist, Treasury Analyst, Tax Specialist'),
    skills: list('ifrs, payroll, month-end, excel, audit'),
    salary: 52_000,
    hasLevels: true,
  },
  {
    department: 'People & Culture',
    roles: list('Recruiter, HR Business Partner, People Operations Specialist, Learning Designer'),
    skills: list('labour law, coaching, onboarding, employer branding'),
    salary: 47_000,
    hasLevels: true,
  },
  {
    department: 'Customer Care',
    roles: list('Customer Support Agent, Customer Success Manager, Support Team Lead, Claims Handler'),
    skills: list('arabic, dutch, french, german, patience, shift work'),
    salary: 36_000,
  },
  {
    department: 'Logistics',
    roles: list('Warehouse Operative, Forklift Driver, Dispatch Planner, Fleet Coordinator, Supply Chain Analyst'),
    skills: list('forklift licence, shift work, lean, driving licence c'),
    salary: 34_000,
  },
  {
    department: 'Health',
    roles: list('Registered Nurse, Physiotherapist, Pharmacist, Midwife, Medical Secretary, Radiographer'),
    skills: list('intensive care, paediatrics, night shift, first aid'),
    salary: 44_000,
  },
  {
    department: 'Facilities',
    roles: list('Electrician, Facility Manager, Chef, Receptionist, Plumber, Gardener'),
    skills: list('maintenance, first aid, hospitality, driving licence'),
    salary: 33_000,
  },
  {
    department: 'Legal',
    roles: list('Legal Counsel, Paralegal, Compliance Officer, Data Protection Officer'),
    skills: list('contracts, gdpr, litigation, employment law'),
    salary: 66_000,
    hasLevels: true,
  },
];

export const levels = /** @type {const} */ ([
  ['Junior ', 0.8],
  ['', 1],
  ['', 1],
  ['Senior ', 1.3],
  ['Lead ', 1.5],
]);

export const employmentTypes = /** @type {const} */ ([
  'full_time',
  'full_time',
  'full_time',
  'part_time',
  'fixed_term',
  'internship',
]);

const invented = list(
  'Brindlemoor, Halvern, Quillstone, Tarnwick, Ostrell, Fennimarsh, Corvanta, Lumiveld, Pellucor, Marrowdale, Veskar, Thistlewane, Arbolind, Zentrosa, Kelpridge, Nordhelm, Solvanne, Wexcombe',
);
const trades = list(
  'Logistics, Foods, Software, Clinics, Bank, Energy, Media, Insurance, Rail, Consulting, Textiles, Robotics',
);

/** Returns the name of an invented employer. @param {import('./random.mjs').Random} random */
export const employer = (random) => `${random.pick(invented)} ${random.pick(trades)}`;

export const eventKinds = list(
  'Open Day, Career Fair, Tech Talk, Coding Night, Graduate Programme Info Evening, Apprenticeship Taster Day, Women in Engineering Breakfast, Assessment Day, Virtual Coffee with Recruiters',
);
export const venues = list(
  'Auditorium, Rooftop Lounge, Conference Room Linden, Town Hall Foyer, University Main Building, Innovation Lab',
);

export const boards = /** @type {const} */ ([
  {
    name: 'Career site',
    code: 'career-site',
    isInternal: true,
    isActive: true,
    url: 'https://careers.example.com',
    method: 'hosted',
    source: 'Career site',
  },
  {
    name: 'Internal board',
    code: 'internal',
    isInternal: true,
    isActive: true,
    url: 'https://intranet.example.com/jobs',
    method: 'hosted',
    source: 'Internal',
  },
  {
    name: 'JobHarbour',
    code: 'job-harbour',
    isInternal: false,
    isActive: true,
    url: 'https://jobharbour.example.org',
    method: 'feed',
    source: 'JobHarbour',
  },
  {
    name: 'WorkLantern',
    code: 'work-lantern',
    isInternal: false,
    isActive: true,
    url: 'https://worklantern.example.org',
    method: 'api',
    source: 'WorkLantern',
  },
  {
    name: 'Stellenufer',
    code: 'stellenufer',
    isInternal: false,
    isActive: true,
    url: 'https://stellenufer.example.org',
    method: 'email',
    source: 'Stellenufer',
  },
  {
    name: 'Campus Pinboard',
    code: 'campus-pinboard',
    isInternal: false,
    isActive: false,
    url: null,
    method: 'manual',
    source: 'University',
  },
]);

export const otherSources = /** @type {const} */ (['Referral', 'Referral', 'Recruiter', 'Agency', 'Walk-in', null]);

/**
 * Returns the description of a vacancy as HTML.
 * @param {string} title @param {string} department @param {import('./random.mjs').Random} random
 */
export function vacancyDescription(title, department, random) {
  const start = random.pick(['We are looking for', 'Our team is waiting for', 'We would like to meet']);
  const article = /^[AEIOU]/.test(title) ? 'an' : 'a';
  const offers = random.some(
    list(
      'flexible hours, 30 days of leave, a training budget, a bicycle scheme, work from home on two days, a good canteen',
    ),
    3,
  );
  return `<p>${start} ${article} <strong>${title.replaceAll('&', '&amp;')}</strong> for ${department.replaceAll('&', '&amp;')}.</p><ul>${offers.map((offer) => `<li>${offer}</li>`).join('')}</ul><p>No cover letter needed.</p>`;
}
