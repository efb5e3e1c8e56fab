import { postings } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { HistoryRoutes } from '../history/history-routes.js';
import { postingSchema } from './posting.dto.js';
import { PostingsService } from './postings.service.js';

@Controller(pathsOf(postings))
export class PostingsController extends ResourceController(postings, {
  verbs: ['create', 'replace', 'remove'],
  schema: postingSchema,
  example: {
    vacancy_id: 12,
    job_board_id: 3,
    opening_date: '2027-01-04',
    closing_date: '2027-01-31',
    location: 'London',
    method: 'feed',
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: PostingsService) {
    super(reader, unitOfWork, writes);
  }
}

@Controller(pathsOf(postings))
export class PostingHistoryController extends HistoryRoutes(postings, 'posting') {}
