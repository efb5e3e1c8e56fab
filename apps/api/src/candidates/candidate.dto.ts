import { candidates, documentIdsSchema, optionalProperty, writeSchema } from '@ats/domain';

/** The body of a new candidate. Source: docs/reference/documents.md, "Owners". */
export const newCandidateSchema = writeSchema(candidates.type).safeExtend({
  document_ids: optionalProperty(documentIdsSchema).describe(
    'Ids of documents that the same credential uploaded before, and that have no owner yet. They belong to the new ' +
      'candidate.',
  ),
});
