import { type LocalisedText } from '../../vocabulary/localised-text.js';

export interface StateSeed {
  readonly state: string;
  readonly name: LocalisedText;
  readonly phase: string;
  /** What the application has come to in this state; absent for opportunities. CONTRACT.md 11. */
  readonly outcome?: 'pending' | 'hired' | 'declined' | 'withdrawn' | 'attended' | 'no_show';
  /** Keys of the states that may follow, in the order in which they are offered; `kind` limits one to vacancies or events. */
  readonly next: readonly (string | { readonly state: string; readonly kind: 'vacancy' | 'event' })[];
}

export interface ProcessSeed {
  readonly id: number;
  readonly key: 'main' | 'event_application' | 'opportunity';
  readonly name: LocalisedText;
  /** The first one is where a new object starts. */
  readonly states: readonly StateSeed[];
}

const names = (en: string, de: string, fr: string, es: string, ar: string): LocalisedText => ({ en, de, fr, es, ar });

/** Ended without a hire or attendance: such an application is no longer live. CONTRACT.md 11. */
const NOT_LIVE = new Set(['rejected', 'withdrawn', 'declined', 'cancelled', 'no_show']);
export const isLiveState = (state: string): boolean => !NOT_LIVE.has(state);

/** The processes that every installation starts with, as the first migration writes them: a later one gives some states better names. Source: CONTRACT.md 7. */
export const PROCESS_SEEDS: readonly ProcessSeed[] = [
  {
    id: 1,
    key: 'main',
    name: names('Application', 'Bewerbung', 'Candidature', 'Candidatura', 'طلب توظيف'),
    states: [
      {
        state: 'submitted',
        name: names('Submitted', 'Eingegangen', 'Reçue', 'Recibida', 'تم الإرسال'),
        phase: 'new',
        outcome: 'pending',
        next: ['in_review', 'interview', 'on_hold', 'rejected', 'withdrawn'],
      },
      {
        state: 'in_review',
        name: names('In review', 'In Prüfung', 'En examen', 'En revisión', 'قيد المراجعة'),
        phase: 'screening',
        outcome: 'pending',
        next: ['interview', 'assessment', 'offer_made', 'on_hold', 'rejected', 'withdrawn'],
      },
      {
        state: 'assessment',
        name: names('Assessment', 'Eignungstest', 'Évaluation', 'Evaluación', 'التقييم'),
        phase: 'assessment',
        outcome: 'pending',
        next: ['interview', 'offer_made', 'on_hold', 'rejected', 'withdrawn'],
      },
      {
        state: 'interview',
        name: names('Interview', 'Vorstellungsgespräch', 'Entretien', 'Entrevista', 'مقابلة'),
        phase: 'interview',
        outcome: 'pending',
        next: ['assessment', 'offer_made', 'on_hold', 'rejected', 'withdrawn'],
      },
      {
        state: 'offer_made',
        name: names('Offer made', 'Angebot gemacht', 'Offre faite', 'Oferta realizada', 'تم تقديم عرض'),
        phase: 'offer',
        outcome: 'pending',
        next: ['offer_accepted', 'interview', 'rejected', 'withdrawn'],
      },
      {
        state: 'offer_accepted',
        name: names('Offer accepted', 'Angebot angenommen', 'Offre acceptée', 'Oferta aceptada', 'تم قبول العرض'),
        phase: 'offer',
        outcome: 'pending',
        next: ['hired', 'rejected', 'withdrawn'],
      },
      {
        state: 'on_hold',
        name: names('On hold', 'Zurückgestellt', 'En attente', 'En espera', 'معلّق'),
        phase: 'on_hold',
        outcome: 'pending',
        next: ['in_review', 'interview', 'rejected', 'withdrawn'],
      },
      {
        state: 'hired',
        name: names('Hired', 'Eingestellt', 'Embauché', 'Contratado', 'تم التوظيف'),
        phase: 'hired',
        outcome: 'hired',
        next: [],
      },
      {
        state: 'rejected',
        name: names('Rejected', 'Abgelehnt', 'Refusée', 'Rechazada', 'مرفوض'),
        phase: 'closed',
        outcome: 'declined',
        next: ['in_review'],
      },
      {
        state: 'withdrawn',
        name: names('Withdrawn', 'Zurückgezogen', 'Retirée', 'Retirada', 'مسحوب'),
        phase: 'closed',
        outcome: 'withdrawn',
        next: ['in_review'],
      },
    ],
  },
  {
    id: 2,
    key: 'event_application',
    name: names('Event registration', 'Anmeldung', 'Inscription', 'Inscripción', 'تسجيل في فعالية'),
    states: [
      {
        state: 'registered',
        name: names('Registered', 'Angemeldet', 'Inscrit', 'Inscrito', 'مسجّل'),
        phase: 'new',
        outcome: 'pending',
        next: ['confirmed', 'waitlisted', 'declined', 'cancelled'],
      },
      {
        state: 'waitlisted',
        name: names(
          'Waitlisted',
          'Auf der Warteliste',
          "Sur liste d'attente",
          'En lista de espera',
          'في قائمة الانتظار',
        ),
        phase: 'on_hold',
        outcome: 'pending',
        next: ['confirmed', 'declined', 'cancelled'],
      },
      {
        state: 'confirmed',
        name: names('Confirmed', 'Bestätigt', 'Confirmé', 'Confirmado', 'مؤكّد'),
        phase: 'confirmed',
        outcome: 'pending',
        next: ['attended', 'no_show', 'cancelled'],
      },
      {
        state: 'attended',
        name: names('Attended', 'Teilgenommen', 'Présent', 'Asistió', 'حضر'),
        phase: 'closed',
        outcome: 'attended',
        next: [],
      },
      {
        state: 'no_show',
        name: names('No show', 'Nicht erschienen', 'Absent', 'No se presentó', 'لم يحضر'),
        phase: 'closed',
        outcome: 'no_show',
        next: [],
      },
      {
        state: 'declined',
        name: names('Declined', 'Abgelehnt', 'Refusé', 'Rechazado', 'مرفوض'),
        phase: 'closed',
        outcome: 'declined',
        next: [],
      },
      {
        state: 'cancelled',
        name: names('Cancelled', 'Storniert', 'Annulé', 'Cancelado', 'ملغى'),
        phase: 'closed',
        outcome: 'withdrawn',
        next: [],
      },
    ],
  },
  {
    id: 3,
    key: 'opportunity',
    name: names('Opportunity', 'Ausschreibung', 'Opportunité', 'Oportunidad', 'فرصة'),
    states: [
      {
        state: 'draft',
        name: names('Draft', 'Entwurf', 'Brouillon', 'Borrador', 'مسودة'),
        phase: 'draft',
        next: ['open', 'cancelled'],
      },
      {
        state: 'open',
        name: names('Open', 'Offen', 'Ouverte', 'Abierta', 'مفتوحة'),
        phase: 'open',
        next: [
          'on_hold',
          'closed',
          { state: 'filled', kind: 'vacancy' },
          { state: 'completed', kind: 'event' },
          'cancelled',
        ],
      },
      {
        state: 'on_hold',
        name: names('On hold', 'Pausiert', 'En pause', 'En pausa', 'معلّقة'),
        phase: 'on_hold',
        next: ['open', 'closed', 'cancelled'],
      },
      {
        state: 'closed',
        name: names('Closed', 'Geschlossen', 'Fermée', 'Cerrada', 'مغلقة'),
        phase: 'closed',
        next: ['open', 'archived'],
      },
      {
        state: 'filled',
        name: names('Filled', 'Besetzt', 'Pourvue', 'Cubierta', 'تم شغلها'),
        phase: 'closed',
        next: ['open', 'archived'],
      },
      {
        state: 'completed',
        name: names('Completed', 'Durchgeführt', 'Terminée', 'Completada', 'مكتملة'),
        phase: 'closed',
        next: ['open', 'archived'],
      },
      {
        state: 'cancelled',
        name: names('Cancelled', 'Abgesagt', 'Annulée', 'Cancelada', 'ملغاة'),
        phase: 'closed',
        next: ['archived'],
      },
      {
        state: 'archived',
        name: names('Archived', 'Archiviert', 'Archivée', 'Archivada', 'مؤرشفة'),
        phase: 'archived',
        next: [],
      },
    ],
  },
];
