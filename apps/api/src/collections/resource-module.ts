import { type Resource } from '@ats/domain';
import { Controller, Module, type Type } from '@nestjs/common';
import { plainWrites } from './plain-writes.js';
import { pathsOf, ResourceController } from './resource-controller.js';
import { type ResourceControllerOptions } from './resource-controller-options.js';
import { ResourceReader } from './resource-reader.js';
import { WRITE_VERBS } from './resource-writes.js';
import { UnitOfWork } from './unit-of-work.js';

/** Makes the module of a resource that needs no rules of its own. Export the module from `<resource>.module.ts`. */
export function resourceModule(resource: Resource, options: Partial<ResourceControllerOptions> = {}): Type {
  @Controller(pathsOf(resource))
  class PlainController extends ResourceController(resource, { verbs: WRITE_VERBS, ...options }) {
    constructor(reader: ResourceReader, unitOfWork: UnitOfWork) {
      super(reader, unitOfWork, plainWrites(resource));
    }
  }

  @Module({ controllers: [PlainController] })
  class PlainModule {}

  // Nest writes class names to logs and errors, so each class gets a name with its resource.
  Object.defineProperty(PlainController, 'name', { value: `PlainController(${resource.name})` });
  Object.defineProperty(PlainModule, 'name', { value: `PlainModule(${resource.name})` });
  return PlainModule;
}
