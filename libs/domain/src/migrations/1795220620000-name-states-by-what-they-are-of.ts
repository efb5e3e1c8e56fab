import { type MigrationInterface, type QueryRunner } from 'typeorm';

interface Renaming {
  readonly process: 'main' | 'event_application';
  readonly state: string;
  readonly language: 'fr' | 'es';
  readonly before: string;
  readonly after: string;
}

const of = (
  process: Renaming['process'],
  state: string,
  language: Renaming['language'],
  before: string,
  after: string,
): Renaming => ({ process, state, language, before, after });

/**
 * In French and Spanish the adjective of a state agrees with the application or registration, which are feminine, not
 * with the person. A word that would describe the person becomes a noun. `En examen` is replaced because it means
 * "under formal investigation".
 */
const RENAMINGS: readonly Renaming[] = [
  of('main', 'in_review', 'fr', 'En examen', 'En cours d’examen'),
  of('main', 'hired', 'fr', 'Embauché', 'Embauche'),
  of('main', 'hired', 'es', 'Contratado', 'Contratación'),
  of('event_application', 'registered', 'fr', 'Inscrit', 'Enregistrée'),
  of('event_application', 'registered', 'es', 'Inscrito', 'Registrada'),
  of('event_application', 'confirmed', 'fr', 'Confirmé', 'Confirmée'),
  of('event_application', 'confirmed', 'es', 'Confirmado', 'Confirmada'),
  of('event_application', 'attended', 'fr', 'Présent', 'Présence'),
  of('event_application', 'no_show', 'fr', 'Absent', 'Absence'),
  of('event_application', 'declined', 'fr', 'Refusé', 'Refusée'),
  of('event_application', 'declined', 'es', 'Rechazado', 'Rechazada'),
  of('event_application', 'cancelled', 'fr', 'Annulé', 'Annulée'),
  of('event_application', 'cancelled', 'es', 'Cancelado', 'Cancelada'),
];

/** Corrects names of states in French and Spanish. Does not change a name that an operator has changed. */
export class NameStatesByWhatTheyAreOf1795220620000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const renaming of RENAMINGS) await rename(runner, renaming);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { before, after, ...state } of RENAMINGS)
      await rename(runner, { ...state, before: after, after: before });
  }
}

async function rename(runner: QueryRunner, { process, state, language, before, after }: Renaming): Promise<void> {
  await runner.query(
    `UPDATE states s SET name = s.name || jsonb_build_object($3::text, $5::text)
     FROM processes p WHERE p.id = s.process_id AND p.key = $1 AND s.state = $2 AND s.name ->> $3::text = $4`,
    [process, state, language, before, after],
  );
}
