import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Inserts the rows that every installation needs: the system, the processes with their states, and the moves. */
export class SeedSystemAndProcesses1795219400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO systems (id, name, domain, environment, languages, default_language, timezone)
       VALUES (1, 'Recruitment', 'localhost.localdomain', 'production', '{en,de,fr,es,ar}', 'en', 'UTC')`,
    );
    await runner.query(`SELECT setval(pg_get_serial_sequence('systems', 'id'), 1)`);
    for (const process of PROCESS_SEEDS) await insertProcess(runner, process);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM state_moves');
    await runner.query('DELETE FROM states');
    await runner.query('DELETE FROM processes');
    await runner.query('DELETE FROM systems WHERE id = 1');
  }
}

async function insertProcess(runner: QueryRunner, process: ProcessSeed): Promise<void> {
  await runner.query('INSERT INTO processes (id, key, name) VALUES ($1, $2, $3)', [
    process.id,
    process.key,
    process.name,
  ]);
  const stateId = (state: string): number => {
    const index = process.states.findIndex((candidate) => candidate.state === state);
    if (index < 0) throw new Error(`process ${process.key} has no state ${state}`);
    return process.id * 100 + index + 1;
  };
  for (const { state, name, phase, outcome, next } of process.states) {
    await runner.query(
      `INSERT INTO states (id, process_id, state, name, phase, outcome, is_live, is_terminal, is_initial)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        stateId(state),
        process.id,
        state,
        name,
        phase,
        outcome ?? null,
        isLiveState(state),
        next.length === 0,
        state === process.states[0]?.state,
      ],
    );
  }
  for (const from of process.states) {
    for (const [position, move] of from.next.entries()) {
      const [to, kind] = typeof move === 'string' ? [move, null] : [move.state, move.kind];
      await runner.query(
        'INSERT INTO state_moves (from_state_id, to_state_id, opportunity_kind, position) VALUES ($1, $2, $3, $4)',
        [stateId(from.state), stateId(to), kind, position],
      );
    }
  }
}

interface StateSeed {
  readonly state: string;
  readonly name: Names;
  readonly phase: string;
  /** Outcome of an application in this state; absent for opportunities. */
  readonly outcome?: 'pending' | 'hired' | 'declined' | 'withdrawn' | 'attended' | 'no_show';
  /** Keys of the states that may follow, in display order. `kind` limits a move to vacancies or to events. */
  readonly next: readonly (string | { readonly state: string; readonly kind: 'vacancy' | 'event' })[];
}

interface ProcessSeed {
  readonly id: number;
  readonly key: 'main' | 'event_application' | 'opportunity';
  readonly name: Names;
  /** The states of the process. A new object starts in the first state. */
  readonly states: readonly StateSeed[];
}

/** Texts by language. */
type Names = Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'ar', string>>;

const names = (en: string, de: string, fr: string, es: string, ar: string): Names => ({ en, de, fr, es, ar });

/** An application in one of these states ended without a hire or attendance and is not live. */
const NOT_LIVE = new Set(['rejected', 'withdrawn', 'declined', 'cancelled', 'no_show']);
const isLiveState = (state: string): boolean => !NOT_LIVE.has(state);

/**
 * The processes that every installation starts with. The list does not use constants of the code on purpose: if it
 * changed with the code, fresh and upgraded databases would differ.
 */
const PROCESS_SEEDS: readonly ProcessSeed[] = [
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
