import { Injectable, type PipeTransform } from '@nestjs/common';
import { isKey } from './document-store.js';
import { noUpload } from './tus-protocol.js';

/** Checks the UUID of an upload in a path. A text that is no UUID causes a 404, not a 400. */
@Injectable()
export class UploadId implements PipeTransform<string, string> {
  transform(text: string): string {
    if (isKey(text)) return text;
    throw noUpload();
  }
}
