import { Module } from '@nestjs/common';
import { AnonymiseRecruiterController, RecruitersController } from './recruiters.controller.js';
import { RecruitersService } from './recruiters.service.js';

@Module({
  controllers: [RecruitersController, AnonymiseRecruiterController],
  providers: [RecruitersService],
})
export class RecruitersModule {}
