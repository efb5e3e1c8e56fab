import { DOCUMENT_KINDS, documentNameSchema } from '@ats/domain';
import { z } from 'zod';
import { type QueryParameter } from '../vocabulary/operation.js';

/** The properties of an upload. A client sends them as query parameters, or as parts of form data beside the file. */
export const uploadSchema = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS).describe('The kind of the document.'),
  name: documentNameSchema.describe('The file name. Defaults to the name that the client sent with the file.'),
});
export type Upload = z.infer<typeof uploadSchema>;

export const UPLOAD_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'kind',
    description: 'The kind of the document. Required for a raw upload.',
    schema: { enum: DOCUMENT_KINDS },
  },
  {
    name: 'name',
    description: 'The file name. Defaults to `filename` of the header `Content-Disposition`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];
