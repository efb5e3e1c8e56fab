import { Module } from '@nestjs/common';
import { WaitingClients } from './waiting-client.js';

@Module({ providers: [WaitingClients], exports: [WaitingClients] })
export class FeedsModule {}
