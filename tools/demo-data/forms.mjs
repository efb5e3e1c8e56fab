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

const yes = { value: 'yes', label: { en: 'Yes', de: 'Ja', fr: 'Oui', es: 'Sí', ar: 'نعم' } };
const no = { value: 'no', label: { en: 'No', de: 'Nein', fr: 'Non', es: 'No', ar: 'لا' } };
const perhaps = {
  value: 'perhaps',
  label: { en: 'Perhaps', de: 'Vielleicht', fr: 'Peut-être', es: 'Quizás', ar: 'ربما' },
};
const same = (/** @type {string} */ value) => ({ value, label: { en: value } });

const definitions = [
  {
    resource: 'applications',
    name: 'Application',
    section: { en: 'About you', de: 'Über Sie', fr: 'À propos de vous', es: 'Sobre usted', ar: 'نبذة عنك' },
    items: [
      {
        key: 'notice_weeks',
        type: 'integer',
        label: {
          en: 'Notice period in weeks',
          de: 'Kündigungsfrist in Wochen',
          fr: 'Préavis en semaines',
          es: 'Preaviso en semanas',
          ar: 'فترة الإشعار بالأسابيع',
        },
        min: 0,
        max: 52,
      },
      {
        key: 'has_permit',
        type: 'boolean',
        label: {
          en: 'Work permit',
          de: 'Arbeitserlaubnis',
          fr: 'Permis de travail',
          es: 'Permiso de trabajo',
          ar: 'تصريح عمل',
        },
      },
      {
        key: 'would_move',
        type: 'single_select',
        label: {
          en: 'Would you move?',
          de: 'Würden Sie umziehen?',
          fr: 'Déménageriez-vous ?',
          es: '¿Se mudaría?',
          ar: 'هل تقبل الانتقال؟',
        },
        options: [yes, no, perhaps],
      },
      {
        key: 'licences',
        type: 'multi_select',
        label: {
          en: 'Driving licences',
          de: 'Führerscheine',
          fr: 'Permis de conduire',
          es: 'Permisos de conducir',
          ar: 'رخص القيادة',
        },
        options: ['A', 'B', 'C'].map(same),
      },
      {
        key: 'motivation',
        type: 'rich_text',
        label: { en: 'Why us?', de: 'Warum wir?', fr: 'Pourquoi nous ?', es: '¿Por qué nosotros?', ar: 'لماذا نحن؟' },
      },
    ],
  },
  {
    resource: 'event_applications',
    name: 'Registration',
    section: { en: 'Your visit', de: 'Ihr Besuch', fr: 'Votre visite', es: 'Su visita', ar: 'زيارتك' },
    items: [
      {
        key: 'companions',
        type: 'integer',
        label: {
          en: 'How many come with you?',
          de: 'Wie viele kommen mit?',
          fr: 'Combien vous accompagnent ?',
          es: '¿Cuántos le acompañan?',
          ar: 'كم شخصًا يرافقك؟',
        },
        min: 0,
        max: 3,
      },
      {
        key: 'needs_parking',
        type: 'single_select',
        label: {
          en: 'Parking space',
          de: 'Parkplatz',
          fr: 'Place de stationnement',
          es: 'Plaza de aparcamiento',
          ar: 'موقف سيارة',
        },
        options: [yes, no],
      },
    ],
  },
  {
    resource: 'vacancies',
    name: 'Briefing',
    section: {
      en: 'For the recruiter',
      de: 'Für die Personalabteilung',
      fr: 'Pour le recruteur',
      es: 'Para el reclutador',
      ar: 'لمسؤول التوظيف',
    },
    items: [
      {
        key: 'budget_code',
        type: 'text',
        label: {
          en: 'Budget code',
          de: 'Kostenstelle',
          fr: 'Code budgétaire',
          es: 'Código presupuestario',
          ar: 'رمز الميزانية',
        },
      },
      {
        key: 'rounds',
        type: 'integer',
        label: {
          en: 'Rounds of interviews',
          de: 'Gesprächsrunden',
          fr: 'Tours d’entretien',
          es: 'Rondas de entrevistas',
          ar: 'جولات المقابلات',
        },
        min: 1,
        max: 5,
      },
    ],
  },
  {
    resource: 'events',
    name: 'Preparation',
    section: { en: 'On the day', de: 'Am Tag selbst', fr: 'Le jour même', es: 'El día mismo', ar: 'في يوم الحدث' },
    items: [
      {
        key: 'has_stage',
        type: 'boolean',
        label: { en: 'Stage', de: 'Bühne', fr: 'Scène', es: 'Escenario', ar: 'منصة' },
      },
      {
        key: 'catering',
        type: 'textarea',
        label: { en: 'Catering', de: 'Verpflegung', fr: 'Restauration', es: 'Comida', ar: 'الضيافة' },
      },
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
