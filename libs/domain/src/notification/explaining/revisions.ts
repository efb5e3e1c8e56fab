import { type EventType } from '../../objects/event-types.js';
import { type RunRows } from './evaluated-event.js';

/**
 * A revision of a topic. It was in force from the version `version` of the topic index to the version before `until`.
 */
export interface TopicRevision {
  readonly topic_id: number;
  readonly revision: number;
  readonly type: EventType;
  readonly expression: string | null;
  readonly version: number;
  /**
   * The version from which the next revision is in force. Null for the last revision. Deleting a topic adds no topic
   * revision; the last revisions of its subscriptions record the deletion.
   */
  readonly until: number | null;
}

/** A revision of a subscription. Its window begins at `active_from_dt` and ends before `end_dt`. */
export interface SubscriptionRevision {
  readonly subscription_id: number;
  readonly topic_id: number;
  readonly active_from_dt: Date;
  readonly end_dt: Date | null;
  readonly is_deleted: boolean;
  readonly version: number;
  readonly until: number | null;
}

/** A range of versions of the topic index. Both ends are included. */
export interface VersionRange {
  readonly from: number;
  readonly to: number;
}

export const isInForce = (
  { version, until }: { readonly version: number; readonly until: number | null },
  at: number,
): boolean => version <= at && (until === null || at < until);

export const isInWindow = (
  { active_from_dt, end_dt }: Pick<SubscriptionRevision, 'active_from_dt' | 'end_dt'>,
  moment: Date,
): boolean => active_from_dt <= moment && (end_dt === null || moment < end_dt);

/** Reads every revision of these topics that was in force at one of these versions. */
export const readTopicRevisions = (
  run: RunRows,
  topicIds: readonly number[],
  { from, to }: VersionRange,
): Promise<TopicRevision[]> =>
  run<TopicRevision>(
    `SELECT * FROM (
       SELECT topic_id, revision, type, expression, version,
         lead(version) OVER (PARTITION BY topic_id ORDER BY revision) AS until
       FROM notification_topic_revisions WHERE topic_id = ANY($1)) r
     WHERE version <= $3 AND (until IS NULL OR until > $2) ORDER BY topic_id, revision`,
    [topicIds, from, to],
  );

/** Reads every revision of these topics' subscriptions that was in force at one of these versions. */
export const readSubscriptionRevisions = (
  run: RunRows,
  topicIds: readonly number[],
  { from, to }: VersionRange,
): Promise<SubscriptionRevision[]> =>
  run<SubscriptionRevision>(
    `SELECT * FROM (
       SELECT subscription_id, topic_id, active_from_dt, end_dt, is_deleted, version,
         lead(version) OVER (PARTITION BY topic_id, subscription_id ORDER BY id) AS until
       FROM notification_subscription_revisions WHERE topic_id = ANY($1)) r
     WHERE version <= $3 AND (until IS NULL OR until > $2) ORDER BY topic_id, subscription_id, version`,
    [topicIds, from, to],
  );
