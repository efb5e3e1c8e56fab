import { runStatement, type Transaction } from '@ats/postgres';
import { type OnApply } from '../../objects/form.model.js';
import { applications } from '../../objects/application.model.js';
import { groupBy } from './group-by.js';
import { type ItemRow, type OptionRow, readFormRows, type SectionRow } from './form-rows.js';

export interface QuestionItem extends ItemRow {
  readonly options: readonly OptionRow[];
}

export interface QuestionSection extends SectionRow {
  readonly items: readonly QuestionItem[];
}

/** One form of an application to a vacancy. Source: docs/reference/forms.md, "Form definitions". */
export interface ApplicationQuestions {
  readonly onApply: Exclude<OnApply, 'hidden'>;
  readonly sections: readonly QuestionSection[];
}

/** Reads the forms that a new application to the vacancy may fill in, sorted by id. */
export async function readApplicationQuestions(
  transaction: Transaction,
  vacancyId: number,
): Promise<readonly ApplicationQuestions[]> {
  const forms = await runStatement<{ id: number; on_apply: ApplicationQuestions['onApply'] }>(
    transaction,
    `SELECT f.id, f.on_apply FROM forms f
     WHERE f.resource = $1 AND f.on_apply <> 'hidden' AND (f.opportunity_ids = '{}' OR $2 = ANY(f.opportunity_ids))
     ORDER BY f.id`,
    [applications.name, vacancyId],
  );
  if (forms.length === 0) return [];
  const { sections, items, options } = await readFormRows(
    transaction,
    forms.map(({ id }) => id),
  );
  const ofItem = groupBy(options, ({ item_id }) => item_id);
  const ofSection = groupBy(
    items.map((item): QuestionItem => ({ ...item, options: ofItem.get(item.id) ?? [] })),
    ({ section_id }) => section_id,
  );
  const ofForm = groupBy(
    sections.map((section): QuestionSection => ({ ...section, items: ofSection.get(section.id) ?? [] })),
    ({ form_id }) => form_id,
  );
  return forms.map(({ id, on_apply }) => ({ onApply: on_apply, sections: ofForm.get(id) ?? [] }));
}
