import { anonymiseCandidate, candidates, readItem, representationSchema } from '@ats/domain';
import { Controller, Module, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { HistoryRoutes } from '../history/history-routes.js';
import { sendAnswer } from '../http/answer.js';
import { ItemId } from '../http/item-id.pipe.js';
import { Operation } from '../http/operation.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { pathsOf, ResourceController } from '../http/resource-controller.js';
import { ResourceReader } from '../http/resource-reader.js';
import { RequiresScope } from '../http/scopes.js';
import { UnitOfWork } from '../http/unit-of-work.js';
import { CandidatesService } from './candidates.service.js';

@Controller(pathsOf(candidates))
class CandidatesController extends ResourceController(candidates, {
  verbs: ['create', 'replace', 'remove'],
  example: {
    firstname: 'Ada',
    lastname: 'Lovelace',
    email: 'ada@example.com',
    Address: [{ Label: 'home', AddressLine: '12 St James’s Square', City: 'London', PostalCode: 'SW1Y 4JH', CountryCode: 'GB' }],
    Phone: [{ Label: 'mobile', Number: '+44 20 7946 0000' }],
    tags: ['mathematics'],
  },
  notes: { remove: 'Ended applications go with the candidate; live ones keep both. To keep the figures and lose the person, anonymise.' },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: CandidatesService) {
    super(reader, unitOfWork, writes);
  }

  /** Blanks everything personal, for good. */
  @Post(':id/anonymise')
  @RequiresScope('candidates:write')
  @Operation({
    tag: candidates.name,
    summary: 'Anonymise a candidate',
    description: 'Blanks everything personal, wherever it is kept. There is no way back.',
    answer: {
      status: 200,
      description: 'What is left.',
      schema: { name: candidates.name, schema: representationSchema(candidates) },
      headers: ['ETag'],
    },
  })
  async anonymise(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Context() context: RequestContext,
  ): Promise<void> {
    const answer = await this.unitOfWork.answer(context, async ({ transaction, recruiterId, settings }) => {
      await anonymiseCandidate(transaction, id, recruiterId);
      return { status: 200, headers: {}, body: await readItem(transaction, candidates, id, settings) };
    });
    sendAnswer(request, reply, answer);
  }
}

@Controller(pathsOf(candidates))
class CandidateHistoryController extends HistoryRoutes(candidates, 'candidate') {}

@Module({
  controllers: [CandidatesController, CandidateHistoryController],
  providers: [CandidatesService],
  exports: [CandidatesService],
})
export class CandidatesModule {}
