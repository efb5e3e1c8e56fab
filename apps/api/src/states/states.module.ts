import { Global, Module } from '@nestjs/common';
import { StatesService } from './states.service.js';

@Global()
@Module({ providers: [StatesService], exports: [StatesService] })
export class StatesModule {}
