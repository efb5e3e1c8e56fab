import { activateAccount, isActivationToken } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { FORM_TYPE } from '../request/body-parser.js';
import { languageOf } from '../request/negotiation.js';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { ACTIVATED, activationPage, confirmationPage, NO_LONGER_VALID, PAGE_HEADERS } from './activation-page.js';
import { activationSchema, EXAMPLE } from './activation.dto.js';

const tag = 'candidates';
const compatibilityFlag = 'account_activation';

/**
 * Serves the page behind the link of an activation e-mail, when `ACTIVATION_URL` is not set. `GET` changes nothing,
 * because mail scanners open links; only the button activates the account. The page also explains errors, with
 * status 200.
 * Source: docs/reference/communications.md, "Account activation".
 */
@Public()
@Controller('activate')
export class ActivationPageController {
  constructor(private readonly database: Database) {}

  @Get()
  @Operation({
    tag,
    compatibilityFlag,
    action: 'show_activation_page',
    summary: 'Show the page that activates an account',
    description:
      'The link in the activation e-mail leads to this page. Reading the page changes nothing. It has one button, ' +
      'which activates the account.',
    query: [{ name: 'token', description: 'The token from the link.', schema: { type: 'string' } }],
    takesAnyQuery: true,
    answer: {
      status: 200,
      description: 'The page, in the language of `Accept-Language`.',
      text: 'text/html',
      headers: ['Content-Language'],
    },
  })
  show(@Query('token') token: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(request, reply, isToken(token) ? confirmationPage(token) : NO_LONGER_VALID);
  }

  @Post()
  @Operation({
    tag,
    compatibilityFlag,
    action: 'submit_activation_page',
    summary: 'Activate an account by the button of its page',
    description: `The button of the page sends this request. Clients must use \`POST /api/v1/candidates/activate\`
instead: its status shows whether the activation succeeded.`,
    body: { name: 'activation_form', schema: activationSchema, example: EXAMPLE, mediaType: FORM_TYPE },
    answer: {
      status: 200,
      description: 'A page that tells the candidate whether the account is active now.',
      text: 'text/html',
      headers: ['Content-Language'],
    },
  })
  async activate(@Body() form: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const given = activationSchema.safeParse(form);
    // The history entry names no recruiter, because the candidate makes this change.
    const id = given.success
      ? await this.database.transaction((transaction) => activateAccount(transaction, given.data.token, null))
      : null;
    sendPage(request, reply, id === null ? NO_LONGER_VALID : ACTIVATED);
  }
}

const isToken = (text: unknown): text is string => typeof text === 'string' && isActivationToken(text);

function sendPage(request: FastifyRequest, reply: FastifyReply, content: Parameters<typeof activationPage>[0]): void {
  const language = languageOf(request);
  void reply
    .status(200)
    .headers({ ...PAGE_HEADERS, 'content-language': language })
    .send(activationPage(content, language));
}
