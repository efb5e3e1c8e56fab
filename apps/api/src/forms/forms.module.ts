import { Module } from '@nestjs/common';
import { ConditionPreviewController } from './condition-preview.controller.js';
import { FORM_VALUES_CONTROLLERS } from './form-values.controller.js';
import { FormValuesService } from './form-values.service.js';
import { FormsController } from './forms.controller.js';
import { FormsService } from './forms.service.js';

@Module({
  controllers: [FormsController, ConditionPreviewController, ...FORM_VALUES_CONTROLLERS],
  providers: [FormsService, FormValuesService],
})
export class FormsModule {}
