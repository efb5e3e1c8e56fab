import { jobBoards } from '@ats/domain';
import { resourceModule } from '../collections/resource-module.js';

export const JobBoardsModule = resourceModule(jobBoards);
