import { ACTIVATION_DAYS, anonymiseCandidate, candidates, readItem, representationSchema } from '@ats/domain';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { HistoryRoutes } from '../history/history-routes.js';
import { done, sendAnswer } from '../request/answer.js';
import { parseBody } from '../request/body.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { codesOf, Operation } from '../vocabulary/operation.js';
import { RequiresScope } from '../vocabulary/scopes.js';
import { activationSchema, EXAMPLE } from './activation.dto.js';
import { CandidatesService } from './candidates.service.js';

const SHOWN = { name: candidates.name, schema: representationSchema(candidates) };

@Controller(pathsOf(candidates))
export class CandidatesController extends ResourceController(candidates, {
  verbs: ['create', 'replace', 'remove'],
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
  notes: {
    replace: `What the body leaves out gets its default. With another \`email\`, a link by which a candidate who is \`pending_activation\` would have become \`active\` works
no longer.`,
    remove:
      'Ended applications go with the candidate; live ones keep both. To keep the figures and lose the person, anonymise.',
  },
}) {
  constructor(
    reader: ResourceReader,
    unitOfWork: UnitOfWork,
    private readonly candidates: CandidatesService,
  ) {
    super(reader, unitOfWork, candidates);
  }

  /** For a careers site with a page of its own. */
  @Post('activate')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    compatibilityFlag: 'account_activation',
    summary: 'Activate an account',
    description: `Makes the candidate \`active\` to whom the link with this token was sent: for a careers site whose own page the links lead to. A token works once, for
${ACTIVATION_DAYS} days. One that was used or taken back, has expired, or was never made is \`invalid\` at \`/token\`, all alike. A password is not asked for: candidates
do not sign in to this service.`,
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

  /** For who has lost the link, or comes too late. */
  @Post(':id/resend_activation')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    compatibilityFlag: 'account_activation',
    summary: 'Send a candidate another link',
    description: `For a candidate who is \`pending_activation\` and has lost the link, or did not follow it within ${ACTIVATION_DAYS} days: another is sent to the same address, and
the one before works no longer.`,
    errorCodes: codesOf(candidates, ['not_pending']),
    answer: { status: 200, description: 'The candidate, as before.', schema: SHOWN, headers: ['ETag'] },
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

  /** Blanks everything personal, for good. */
  @Post(':id/anonymise')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    summary: 'Anonymise a candidate',
    description: 'Blanks everything personal, wherever it is kept. There is no way back.',
    answer: { status: 200, description: 'What is left.', schema: SHOWN, headers: ['ETag'] },
  })
  async anonymise(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    await this.#send(reply, context, async ({ transaction, recruiterId }) => {
      await anonymiseCandidate(transaction, id, recruiterId);
      return id;
    });
  }

  /** The candidate, after what was done. @param act  returns the id */
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
