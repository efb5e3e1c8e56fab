import { Module } from '@nestjs/common';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { SelectionsController } from './selections.controller.js';
import { SelectionsService } from './selections.service.js';

@Module({ controllers: [SelectionsController, MembersController], providers: [MembersService, SelectionsService] })
export class SelectionsModule {}
