import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from './app.js';

/** Returns the text of a file in the repository. */
export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const rule = z.strictObject({
  alert: z.string().regex(/^Ats[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().regex(/^\d+m$/),
  labels: z.strictObject({ severity: z.literal('critical') }),
  annotations: z.strictObject({
    summary: z.string().includes('{{ $labels.cause }}'),
    description: z.string(),
    runbook_url: z.string(),
  }),
});
const RULES = z.strictObject({ groups: z.tuple([z.strictObject({ name: z.string(), rules: z.array(rule) })]) });

const target = z.looseObject({ expr: z.string(), legendFormat: z.string() });
const panel = z.looseObject({
  title: z.string().min(1),
  description: z.string().min(10),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
  fieldConfig: z.looseObject({ defaults: z.looseObject({ unit: z.string().min(1) }) }),
  targets: z.array(target).min(1),
});
const row = z.looseObject({ type: z.literal('row'), title: z.string() });
const DASHBOARD = z.looseObject({
  uid: z.string(),
  templating: z.strictObject({
    list: z.tuple([z.looseObject({ name: z.literal('datasource'), type: z.literal('datasource') })]),
  }),
  panels: z.array(z.union([row, panel])),
});

/** Returns the anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export type Target = z.output<typeof target>;

export const readRules = (): readonly z.output<typeof rule>[] =>
  RULES.parse(parse(readText('docker/chart/files/alerts.yaml'))).groups[0].rules;

export const readDashboard = (): z.output<typeof DASHBOARD> =>
  DASHBOARD.parse(JSON.parse(readText('docker/chart/files/dashboard.json')));
