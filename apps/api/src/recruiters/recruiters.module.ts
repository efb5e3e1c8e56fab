import { Module } from '@nestjs/common';
import { RecruitersController } from './recruiters.controller.js';
import { RecruitersService } from './recruiters.service.js';

@Module({ controllers: [RecruitersController], providers: [RecruitersService] })
export class RecruitersModule {}
