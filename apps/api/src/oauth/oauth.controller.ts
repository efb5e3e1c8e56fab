import { credentials, type JsonSchema } from '@ats/domain';
import { ENVIRONMENT } from '@ats/nest-app';
import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Environment } from '../config/env.js';
import { FORM_TYPE } from '../request/body-parser.js';
import { Operation, strictObject } from '../vocabulary/operation.js';
import { allScopes, Public } from '../vocabulary/scopes.js';
import { oauthErrorDetails } from './oauth-errors.js';
import { TokenEndpoint } from './token-endpoint.js';
import { GRANT_TYPE, tokenRequestSchema } from './token-request.dto.js';

const text: JsonSchema = { type: 'string' };
const url: JsonSchema = { type: 'string', format: 'uri' };
const texts: JsonSchema = { type: 'array', items: text };

/** Gives access tokens for the tokens of credentials. Source: docs/reference/authentication.md, "OAuth 2". */
@Public()
@Controller('oauth')
export class OAuthController {
  constructor(private readonly endpoint: TokenEndpoint) {}

  @Post('token')
  @HttpCode(200)
  @Operation({
    tag: credentials.name,
    action: 'create_access_token',
    summary: 'Get an access token (OAuth 2 client credentials)',
    access: 'Needs the key id and the token of a credential, in Basic authentication or in the body.',
    description: `Implements the client credentials grant (RFC 6749, 4.4). The client id is the \`key_id\` of a
credential, and the client secret is its token. The access token is a bearer token for at most an hour, with equal or
fewer scopes. It ends with its credential. A client cannot get a new access token with an access token.

Errors have \`error\` and \`error_description\` of RFC 6749 5.2 beside the properties of all errors.`,
    body: {
      name: 'oauth_token_request',
      schema: tokenRequestSchema,
      example: {
        grant_type: GRANT_TYPE,
        scope: 'vacancies:read applications:create',
        client_id: 'the key_id of the credential',
        client_secret: 'the token of the credential',
      },
      mediaType: FORM_TYPE,
    },
    answer: {
      status: 200,
      description: 'The access token.',
      schema: {
        name: 'oauth_token',
        schema: strictObject({
          access_token: text,
          token_type: { const: 'Bearer' },
          expires_in: { type: 'integer', minimum: 0, description: 'Seconds until the access token expires.' },
          scope: { ...text, description: 'The scopes of the access token, separated by spaces.' },
        }),
      },
    },
    errorDetails: oauthErrorDetails,
    isNeverCached: true,
    otherErrors: [
      {
        status: 400,
        description: '`invalid_request`, `unsupported_grant_type` or `invalid_scope`: the request is wrong.',
      },
      {
        status: 401,
        description: '`invalid_client`: the key id or the token is missing or invalid.',
        headers: ['WWW-Authenticate'],
      },
      { status: 429, description: 'The credential or the IP address has exceeded a limit.', headers: ['Retry-After'] },
      { status: 503, description: 'The service is temporarily unavailable.', headers: ['Retry-After'] },
    ],
  })
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.endpoint.answer(request, reply);
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
  }
}

/** Describes the token endpoint to clients (RFC 8414). */
@Public()
@Controller('.well-known/oauth-authorization-server')
export class OAuthMetadataController {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  @Get()
  @Operation({
    tag: credentials.name,
    action: 'get_oauth_metadata',
    summary: 'Read the metadata of the token endpoint (RFC 8414)',
    answer: {
      status: 200,
      description: 'The URL of the token endpoint, and its grant types, authentication methods and scopes.',
      schema: {
        name: 'oauth_metadata',
        schema: strictObject({
          issuer: url,
          token_endpoint: url,
          token_endpoint_auth_methods_supported: texts,
          grant_types_supported: texts,
          response_types_supported: texts,
          scopes_supported: texts,
          service_documentation: url,
        }),
      },
    },
  })
  metadata(@Res() reply: FastifyReply): void {
    const { PUBLIC_BASE_URL: issuer } = this.environment;
    const metadata = {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: [GRANT_TYPE],
      // RFC 8414 requires this property. It is empty, because the service has no authorization endpoint.
      response_types_supported: [],
      scopes_supported: allScopes(),
      service_documentation: `${issuer}/docs`,
    };
    void reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' })
      .send(JSON.stringify(metadata));
  }
}
