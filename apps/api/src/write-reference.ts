import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { type Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { findModules } from './app.module.js';
import { siteReference } from './docs/reference.js';
import { Routes } from './openapi/routes.js';
import { ScopesController } from './scopes/scopes.controller.js';

/**
 * Writes the data of the documentation site to a file: `node dist/write-reference.js <file>`. It reads the decorators
 * of the controllers and starts no app, so it needs no servers.
 */
const controllers = findModules().flatMap(
  (module) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[],
);
const routes = new Routes(
  { getControllers: () => controllers.map((metatype) => ({ metatype })) },
  new MetadataScanner(),
);
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node dist/write-reference.js <file>');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(siteReference(routes.all(), new ScopesController(routes).scopes())));
