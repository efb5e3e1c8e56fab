import { allResources, credentials, type JsonSchema } from '@ats/domain';
import { Controller, Get, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Routes } from '../openapi/routes.js';
import { sendItem } from '../request/answer.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { type Action, allScopes, includedScopes, type Scope } from '../vocabulary/scopes.js';

const SCOPE_SCHEMA = {
  name: 'scopes',
  isList: true,
  /** The schema is made at the first request, when all controllers are loaded and the list of scopes is complete. */
  get schema(): JsonSchema {
    const scopes = { type: 'string', enum: allScopes() };
    return strictObject({
      scope: scopes,
      description: { type: 'string', description: 'What the scope allows, in English.' },
      includes: { type: 'array', items: scopes, description: 'The narrower scopes that this scope includes.' },
      operations: {
        type: 'array',
        items: { type: 'string' },
        description: 'Method and path of each operation that names this scope. Included scopes allow more operations.',
      },
    });
  },
} as const;

/** Lists the scopes. Source: docs/reference/authentication.md, "Scopes". */
@Controller('api/v1/scopes')
export class ScopesController {
  #catalogue: string | undefined;

  constructor(private readonly routes: Routes) {}

  @Get()
  @Operation({
    tag: credentials.name,
    summary: 'List the scopes',
    description: 'Lists every scope that a credential can have, with the operations that it allows.',
    answer: {
      status: 200,
      description: 'All scopes, by resource.',
      schema: SCOPE_SCHEMA,
      headers: ['ETag'],
    },
  })
  list(@Res() reply: FastifyReply): void {
    this.#catalogue ??= JSON.stringify(this.scopes());
    // The catalogue exists in English only, like the rest of the reference.
    sendItem(reply.header('content-language', 'en'), this.#catalogue);
  }

  /** Returns every scope with its meaning and operations. The documentation site shows the same list. */
  scopes(): readonly object[] {
    const routes = this.routes
      .all()
      .filter(({ aliasOf, operation }) => aliasOf === undefined && operation.protocol === undefined);
    return allScopes().map((scope) => ({
      scope,
      description: descriptionOf(scope),
      includes: includedScopes(scope),
      operations: routes
        .filter(({ scopes = [], furtherScopes = [] }) => [...scopes, ...furtherScopes].includes(scope))
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    }));
  }
}

const TEXTS: Readonly<Record<Action, (things: string) => string>> = {
  read: (things) => `Read ${things}.`,
  write: (things) => `Make every change to ${things} that the API offers.`,
  create: (things) => `Create ${things}, and nothing else.`,
  move: (things) => `Move ${things} to other states, and nothing else.`,
  delete: (things) => `Delete ${things}, and nothing else.`,
  impersonate: (things) => `Create ${things} that act as another recruiter.`,
  admin: (things) => `Change ${things} of other owners.`,
};

/** Descriptions of scopes for which the text of the action says too little. */
const OWN_TEXTS: Readonly<Partial<Record<Scope, string>>> = {
  'credentials:admin': 'Revoke credentials that have scopes beyond your own.',
  '*:admin': 'Everything that the scopes with `impersonate` and `admin` allow. `*:write` includes none of them.',
};

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

function descriptionOf(scope: Scope): string {
  const own = OWN_TEXTS[scope];
  if (own) return own;
  const [resource = '', action] = scope.split(':') as [string, Action];
  const names = allResources()
    .filter((one) => one.scope === resource)
    .map(({ name }) => name.replaceAll('_', ' '));
  const things =
    resource === '*' ? 'all resources' : names.length > 0 ? LIST.format(names) : `the ${resource} of items`;
  return TEXTS[action](things);
}
