import { ACTIVATION_DAYS, anonymiseCandidate, candidates, readItem, representationSchema } from '@ats/domain';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { HistoryRoutes } from '../history/history-routes.js';
import { AnonymiseRoutes } from '../privacy/anonymise-routes.js';
import { done, sendAnswer } from '../request/answer.js';
import { parseBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { codesOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { activationSchema, EXAMPLE } from './activation.dto.js';
import { newCandidateSchema } from './candidate.dto.js';
import { CandidatesService } from './candidates.service.js';

const SHOWN = { name: candidates.name, schema: representationSchema(candidates) };

@Controller(pathsOf(candidates))
export class CandidatesController extends ResourceController(candidates, {
  verbs: ['create', 'replace', 'remove'],
  createBody: { schema: newCandidateSchema },
  example: {
    firstname: 'Ada',
    lastname: 'Lovelace',
    email: 'ada@example.com',
    Address: [
      { Label: 'home', AddressLine: '12 St James’s Square', City: 'London', PostalCode: 'SW1Y 4JH', CountryCode: 'GB' },
    ],
    Phone: [{ Label: 'mobile', Number: '+44 20 7946 0000' }],
    tags: ['mathematics'],
  },
  errorCodes: ['anonymised'],
  dryRun: true,
  notes: {
    replace: `Properties that the body leaves out get their default. A new \`email\` invalidates the activation link of
a candidate who is \`pending_activation\`.`,
    remove: `Deletes the candidate and all his or her applications. A candidate with a live application cannot be
deleted. An application is live in every state except \`rejected\`, \`withdrawn\`, \`declined\`, \`cancelled\` and
\`no_show\`. To keep the applications for statistics, anonymise the candidate instead.`,
  },
}) {
  constructor(
    reader: ResourceReader,
    unitOfWork: UnitOfWork,
    private readonly candidates: CandidatesService,
  ) {
    super(reader, unitOfWork, candidates);
  }

  @Post('activate')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    compatibilityFlag: 'account_activation',
    summary: 'Activate an account',
    description: `Activates the account of the candidate who received this token by e-mail. Use this operation when the
activation links lead to a page of your own careers site. A token works once, for ${ACTIVATION_DAYS} days. A used,
withdrawn, expired or unknown token is \`invalid\` at \`/token\`; the answer is the same for all four. There is no
password: candidates do not sign in to this service.`,
    body: { name: 'candidate_activation', schema: activationSchema, example: EXAMPLE },
    answer: { status: 200, description: 'The candidate, now active.', schema: SHOWN, headers: ['ETag'] },
  })
  async activate(
    @Body() given: unknown,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const { token } = parseBody(candidates.name, activationSchema, given);
    await this.#send(reply, context, (work) => this.candidates.activate(work, token));
  }

  @Post(':id/resend_activation')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    compatibilityFlag: 'account_activation',
    summary: 'Send a candidate another activation link',
    description: `Sends another activation link to the address of a candidate who is \`pending_activation\`. Earlier
links stop working. Use this operation when the candidate has lost the link, or when the link has expired after
${ACTIVATION_DAYS} days.`,
    errorCodes: codesOf(candidates, ['not_pending']),
    answer: { status: 200, description: 'The candidate, unchanged.', schema: SHOWN, headers: ['ETag'] },
  })
  async resendActivation(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#send(reply, context, async (work) => {
      await this.candidates.resendActivation(work, id);
      return id;
    });
  }

  /** Runs `act`, which returns the id of a candidate, and answers with the changed candidate. */
  async #send(reply: FastifyReply, context: RequestContext, act: (work: Work) => Promise<number>): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async (work) => {
      const id = await act(work);
      return done({ body: await readItem(work.transaction, candidates, id, work.settings) });
    });
    sendAnswer(reply, answer);
  }
}

@Controller(pathsOf(candidates))
export class CandidateHistoryController extends HistoryRoutes(candidates, 'candidate') {}

@Controller(pathsOf(candidates))
export class AnonymiseCandidateController extends AnonymiseRoutes(candidates, {
  anonymise: anonymiseCandidate,
  description: `Removes all personal data of the candidate for good, also from applications, communications, the
history, stored events and stored searches.`,
}) {}
