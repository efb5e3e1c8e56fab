import { DOCUMENT_KINDS, documentNameSchema } from '@ats/domain';
import { z } from 'zod';
import { type BodyDescription, BYTES, type QueryParameter } from '../vocabulary/operation.js';

/** The properties of an upload. A client sends them as query parameters, or as parts of form data beside the file. */
export const uploadSchema = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS).describe('The kind of the document.'),
  name: documentNameSchema.describe('The file name. Defaults to the name that the client sent with the file.'),
});
export type Upload = z.infer<typeof uploadSchema>;

/** The body of an upload, for the reference. */
export const UPLOAD_BODY: BodyDescription = {
  name: 'document_upload',
  schema: uploadSchema.partial({ name: true }),
  mediaType: BYTES,
};

export const UPLOAD_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'kind',
    description: 'The kind of the document. Required for a raw upload.',
    schema: { enum: DOCUMENT_KINDS },
    example: 'cv',
  },
  {
    name: 'name',
    description: 'The file name. Defaults to `filename` of the header `Content-Disposition`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'cv.pdf',
  },
];
