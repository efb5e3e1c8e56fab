import { credentials, readItem, representationSchema, resourceUrl, withProperties } from '@ats/domain';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { sendAnswer, sendItem } from '../request/answer.js';
import { type Actor, Context, type RequestContext } from '../request/request-context.js';
import { Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { credentialSchema, RECRUITER_SCOPES } from './credential.dto.js';
import { NO_WRITER_LEFT } from './keep-writers.js';
import { CredentialsService, KEEP_CHILDREN } from './credentials.service.js';

const SHOWN = representationSchema(credentials);
const CREATED_SCHEMA = {
  name: 'credentials_created',
  schema: {
    ...withProperties(SHOWN, {
      token: {
        type: 'string',
        description:
          'The secret that authenticates requests. It is shown only once: the answer to a repeated request with the ' +
          'same `Idempotency-Key` lacks it.',
      },
    }),
    required: SHOWN['required'],
  },
};

@Controller(pathsOf(credentials))
export class CredentialsController extends ResourceController(credentials, {
  verbs: ['remove'],
  notes: {
    remove: `Revokes the credential, and every credential that it made, directly or through others. Requests with
their tokens are refused within a second. The credentials stay in the list, with \`revoked_dt\`. You need the scopes of
the credential, or \`credentials:admin\`.`,
  },
  removeFlags: [
    {
      name: KEEP_CHILDREN,
      description:
        '`true` keeps the credentials that the credential made. You need `credentials:write` and their scopes.',
      schema: { type: 'boolean', const: true },
    },
  ],
  conflicts: { remove: NO_WRITER_LEFT },
}) {
  constructor(
    reader: ResourceReader,
    unitOfWork: UnitOfWork,
    private readonly credentials: CredentialsService,
  ) {
    super(reader, unitOfWork, {
      remove: (work: Work, id: number, flags: ReadonlySet<string>) => credentials.revoke(work, id, flags),
    });
  }

  @Post()
  @RequiresScope('credentials:create')
  @Operation({
    tag: credentials.name,
    summary: 'Create a credential',
    description: `Only this answer contains the token. The new credential has no more rights than yours: its scopes and
networks are among yours, it expires no later, and it acts as your recruiter unless you have
\`credentials:impersonate\`. When your credential is revoked, the new one is revoked too.`,
    conflict: 'You, or the credential that made yours, have made too many live credentials.',
    body: {
      name: 'credentials_write',
      schema: credentialSchema,
      example: {
        name: 'Job portal',
        scopes: ['vacancies:read', 'applications:write'],
        expires_dt: '2028-01-01T00:00:00.000Z',
        allowed_cidrs: ['203.0.113.0/24'],
      },
      valueScopes: RECRUITER_SCOPES,
    },
    answer: {
      status: 201,
      description: 'The new credential with its token.',
      schema: CREATED_SCHEMA,
      headers: ['Location', 'ETag'],
      alwaysShown: ['token'],
      shownOnce: ['token'],
    },
  })
  async make(@Body() given: unknown, @Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const { id, token } = await this.credentials.create(work, given);
      const item = JSON.parse(await readItem(work.transaction, credentials, id, work.settings)) as object;
      const location = resourceUrl(work.settings.baseUrl, 'credentials', id);
      // The token is shown only once and must not reach a cache.
      return {
        status: 201,
        headers: { location, 'cache-control': 'no-store' },
        body: JSON.stringify({ ...item, token }),
      };
    });
    sendAnswer(reply, answer);
  }
}

/** Reads the credential of the request. The route needs no scope. */
@Controller('api/v1/me')
export class MeController {
  constructor(private readonly reader: ResourceReader) {}

  @Get()
  @Operation({
    tag: credentials.name,
    summary: 'Read your own credential',
    description: 'With an access token, `scopes` and `expires_dt` are those of the access token.',
    answer: {
      status: 200,
      description: 'The credential.',
      schema: { name: credentials.name, schema: representationSchema(credentials) },
      headers: ['ETag'],
    },
  })
  async me(@Res() reply: FastifyReply, @Context() context: RequestContext): Promise<void> {
    const item = await this.reader.item(credentials, context.actor.credentialId, context);
    sendItem(reply, context.actor.accessEndsDt ? withAccessOf(context.actor, item) : item);
  }
}

/** Returns the credential with the rights that the access token of the client has. */
const withAccessOf = ({ scopes, accessEndsDt }: Actor, item: string): string =>
  JSON.stringify({ ...(JSON.parse(item) as object), scopes: [...scopes], expires_dt: accessEndsDt?.toISOString() });
