// `allResources` lists a resource only after its model was imported. This import loads all models.
import '../../objects/object-model.js';
import { allResources, type Resource } from '../../vocabulary/resource.js';

/** The kinds of changes in the feed. Source: docs/reference/changes.md. */
export const CHANGES = ['created', 'updated', 'deleted', 'anonymised'] as const;
export type ChangeKind = (typeof CHANGES)[number];

/** The resources of the changes feed, sorted by name. Triggers on their tables record each change. */
export const followedResources = (): readonly Resource[] => allResources().filter(({ isLog }) => !isLog);
