import { Module } from '@nestjs/common';
import { CredentialsController, MeController } from './credentials.controller.js';
import { CredentialsService } from './credentials.service.js';

@Module({ controllers: [CredentialsController, MeController], providers: [CredentialsService] })
export class CredentialsModule {}
