import { cleanDocumentName, documents, ValidationError } from '@ats/domain';
import { checkBody } from '../request/body.js';
import { type Upload, uploadSchema } from './upload.dto.js';

/** The names and values of the header `Upload-Metadata`. A name may have no value. */
export type UploadMetadata = Readonly<Record<string, string | null>>;

/** Names that tus clients add by themselves. They are ignored, because the service detects the media type itself. */
const IGNORED = ['filetype', 'type'];

/**
 * Returns the properties of an upload. `filename` has the same meaning as in the header `Content-Disposition`.
 * @throws {ValidationError} with all violations
 */
export function uploadOfMetadata(metadata: UploadMetadata): Upload {
  const { filename, ...given } = Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) => (IGNORED.includes(name) ? [] : [[name, value ?? '']])),
  );
  const name = cleanDocumentName(filename ?? '');
  const checked = checkBody(uploadSchema, { ...(name && { name }), ...given });
  if (checked.violations) throw new ValidationError(documents.name, checked.violations);
  return checked.data;
}
