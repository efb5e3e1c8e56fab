import { Module } from '@nestjs/common';
import { FORM_VALUES_CONTROLLERS } from './form-values.controller.js';
import { FormValuesService } from './form-values.service.js';
import { FormsController } from './forms.controller.js';
import { FormsService } from './forms.service.js';

@Module({ controllers: [FormsController, ...FORM_VALUES_CONTROLLERS], providers: [FormsService, FormValuesService] })
export class FormsModule {}
