import { type Resource } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RESOURCE } from '../collections/resource-controller.js';

/** The resources that have a controller. */
@Injectable()
export class Resources {
  #all: readonly Resource[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** All resources, sorted by name. */
  all(): readonly Resource[] {
    this.#all ??= this.discovery
      .getControllers()
      .flatMap(({ metatype }) =>
        metatype ? ((Reflect.getMetadata(RESOURCE, metatype) as Resource | undefined) ?? []) : [],
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#all;
  }
}
