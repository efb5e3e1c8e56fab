import { Module } from '@nestjs/common';
import { OAuthController, OAuthMetadataController } from './oauth.controller.js';
import { TokenEndpoint } from './token-endpoint.js';

@Module({ controllers: [OAuthController, OAuthMetadataController], providers: [TokenEndpoint] })
export class OAuthModule {}
