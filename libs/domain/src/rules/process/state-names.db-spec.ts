import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { NameStatesByWhatTheyAreOf1795220620000 } from '../../migrations/1795220620000-name-states-by-what-they-are-of.js';
import { LANGUAGES } from '../../vocabulary/languages.js';

const own = useTestDatabase();

const namesIn = async (language: string, process: string): Promise<string[]> => {
  const rows = await own.database.query<{ name: string }>(
    'SELECT s.name ->> $1 AS name FROM states s JOIN processes p ON p.id = s.process_id WHERE p.key = $2 ORDER BY s.id',
    [language, process],
  );
  return rows.map(({ name }) => name);
};

describe('names of states', () => {
  it('exist in every language', async () => {
    const missing = await own.database.query('SELECT id FROM states WHERE NOT name ?& $1', [LANGUAGES]);
    expect(missing).toEqual([]);
  });

  it('agree in gender with the word for the event registration, not with the person', async () => {
    expect(await namesIn('fr', 'event_application')).toEqual([
      'Enregistrée',
      "Sur liste d'attente",
      'Confirmée',
      'Présence',
      'Absence',
      'Refusée',
      'Annulée',
    ]);
    expect(await namesIn('es', 'event_application')).toEqual([
      'Registrada',
      'En lista de espera',
      'Confirmada',
      'Asistió',
      'No se presentó',
      'Rechazada',
      'Cancelada',
    ]);
  });

  it('stay unchanged by the migration when an operator has changed them', async () => {
    const migration = new NameStatesByWhatTheyAreOf1795220620000();
    const runner = own.database.dataSource.createQueryRunner();
    try {
      await migration.down(runner);
      expect(await namesIn('fr', 'event_application')).toContain('Confirmé');
      await runner.query(`UPDATE states SET name = name || '{"fr": "Validée"}' WHERE name ->> 'fr' = 'Confirmé'`);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await namesIn('fr', 'event_application')).toEqual([
      'Enregistrée',
      "Sur liste d'attente",
      'Validée',
      'Présence',
      'Absence',
      'Refusée',
      'Annulée',
    ]);
  });
});
