// @ts-check
import { BEGINNING, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { Random } from './random.mjs';

/**
 * @typedef {Readonly<Record<string, string>>} Localised by language
 * @typedef {{ id: number, value: string, label: Localised }} Option
 * @typedef {{ min: number | null, max: number | null }} Limits
 * @typedef {{ id: number, key: string, type: string, label: Localised, options: readonly Option[] } & Limits} Item
 * @typedef {{ id: number, resource: string, name: string, section: Localised, items: readonly Item[] }} Form with one
 *   section, which has the form's id
 */

/**
 * Splits a text with `|` into texts by language.
 * @param {string} text English, German, French, Spanish and Arabic
 */
function texts(text) {
  const [en = '', de = '', fr = '', es = '', ar = ''] = text.split(' | ');
  return { en, de, fr, es, ar };
}

const yes = { value: 'yes', label: texts('Yes | Ja | Oui | Sí | نعم') };
const no = { value: 'no', label: texts('No | Nein | Non | No | لا') };
const perhaps = { value: 'perhaps', label: texts('Perhaps | Vielleicht | Peut-être | Quizás | ربما') };
const same = (/** @type {string} */ value) => ({ value, label: { en: value } });

const definitions = [
  {
    resource: 'applications',
    name: 'Application',
    section: texts('About you | Über Sie | À propos de vous | Sobre usted | نبذة عنك'),
    items: [
      {
        key: 'notice_weeks',
        type: 'integer',
        label: texts(
          'Notice period in weeks | Kündigungsfrist in Wochen | Préavis en semaines | Preaviso en semanas | فترة الإشعار بالأسابيع',
        ),
        min: 0,
        max: 52,
      },
      {
        key: 'has_permit',
        type: 'boolean',
        label: texts('Work permit | Arbeitserlaubnis | Permis de travail | Permiso de trabajo | تصريح عمل'),
      },
      {
        key: 'would_move',
        type: 'single_select',
        label: texts('Would you move? | Würden Sie umziehen? | Déménageriez-vous ? | ¿Se mudaría? | هل تقبل الانتقال؟'),
        options: [yes, no, perhaps],
      },
      {
        key: 'licences',
        type: 'multi_select',
        label: texts('Driving licences | Führerscheine | Permis de conduire | Permisos de conducir | رخص القيادة'),
        options: ['A', 'B', 'C'].map(same),
      },
      {
        key: 'motivation',
        type: 'rich_text',
        label: texts('Why us? | Warum wir? | Pourquoi nous ? | ¿Por qué nosotros? | لماذا نحن؟'),
      },
    ],
  },
  {
    resource: 'event_applications',
    name: 'Registration',
    section: texts('Your visit | Ihr Besuch | Votre visite | Su visita | زيارتك'),
    items: [
      {
        key: 'companions',
        type: 'integer',
        label: texts(
          'How many come with you? | Wie viele kommen mit? | Combien vous accompagnent ? | ¿Cuántos le acompañan? | كم شخصًا يرافقك؟',
        ),
        min: 0,
        max: 3,
      },
      {
        key: 'needs_parking',
        type: 'single_select',
        label: texts('Parking space | Parkplatz | Place de stationnement | Plaza de aparcamiento | موقف سيارة'),
        options: [yes, no],
      },
    ],
  },
  {
    resource: 'vacancies',
    name: 'Briefing',
    section: texts(
      'For the recruiter | Für die Personalabteilung | Pour le recruteur | Para el reclutador | لمسؤول التوظيف',
    ),
    items: [
      {
        key: 'budget_code',
        type: 'text',
        label: texts('Budget code | Kostenstelle | Code budgétaire | Código presupuestario | رمز الميزانية'),
      },
      {
        key: 'rounds',
        type: 'integer',
        label: texts(
          'Rounds of interviews | Gesprächsrunden | Tours d’entretien | Rondas de entrevistas | جولات المقابلات',
        ),
        min: 1,
        max: 5,
      },
    ],
  },
  {
    resource: 'events',
    name: 'Preparation',
    section: texts('On the day | Am Tag selbst | Le jour même | El día mismo | في يوم الحدث'),
    items: [
      { key: 'has_stage', type: 'boolean', label: texts('Stage | Bühne | Scène | Escenario | منصة') },
      { key: 'catering', type: 'textarea', label: texts('Catering | Verpflegung | Restauration | Comida | الضيافة') },
    ],
  },
];

let lastItem = FIRST_ID - 1;
let lastOption = FIRST_ID - 1;

/** One form for each resource with form values. @type {readonly Form[]} */
export const demoForms = definitions.map(({ items, ...form }, index) => ({
  ...form,
  id: FIRST_ID + index,
  items: items.map(({ options = [], min = null, max = null, ...item }) => ({
    ...item,
    min,
    max,
    id: ++lastItem,
    options: options.map((option) => ({ ...option, id: ++lastOption })),
  })),
}));

export function* formRows() {
  const random = new Random('forms');
  const created = timestamp(BEGINNING);
  for (const { id, name, resource } of demoForms)
    yield [id, random.restart(id).uuid(), created, created, name, resource];
}

export function* sectionRows() {
  for (const { id, section } of demoForms) yield [id, id, 0, JSON.stringify(section)];
}

export function* itemRows() {
  for (const form of demoForms) {
    for (const [position, { id, key, label, type, min, max }] of form.items.entries())
      yield [id, form.id, position, key, JSON.stringify(label), type, min, max];
  }
}

export function* optionRows() {
  for (const item of demoForms.flatMap(({ items }) => items)) {
    for (const [position, { id, value, label }] of item.options.entries())
      yield [id, item.id, position, value, JSON.stringify(label)];
  }
}
