import { API_PREFIX, documents } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { contextOf } from '../request/request-context.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { type UploadClient } from './resumable-uploads.js';
import { TusController } from './tus-controller.js';

const PATH = `${API_PREFIX}/${documents.paths[0]}/uploads`;

/** Serves uploads of credentials in several requests. Source: docs/reference/documents.md, "Resumable uploads". */
@Controller(PATH.slice(1))
@RequiresScope('documents:create')
export class ResumableUploadsController extends TusController(PATH, documents.name) {
  protected clientOf(request: FastifyRequest): UploadClient {
    const context = contextOf(request);
    return {
      context,
      owner: { credentialId: context.actor.credentialId, postingId: null },
      url: `${this.environment.PUBLIC_BASE_URL}${PATH}`,
      nameOf: String,
    };
  }
}
