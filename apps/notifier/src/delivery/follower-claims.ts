import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { failureLevel } from '../config/logger.js';
import { type Metrics } from '../counters/metrics.js';
import { Batcher } from './batcher.js';
import { BATCHES } from './store/batches.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';
import { CHAINS_AT_ONCE, claimFollowers, mayLead, releaseFollowers } from './store/follower-deliveries.js';

export interface FollowerClaimsOptions {
  readonly database: Database;
  readonly claimant: { readonly worker: number };
  readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>;
  readonly metrics: Pick<Metrics, 'followersClaimed' | 'followersReleased'>;
  readonly logger: Logger;
}

/**
 * Pause after followers of a subscription were released unsent. During the pause, the subscription gets no followers.
 * Claiming and releasing them again and again would cost more than it saves, for example while this machine is busy.
 */
const PAUSE_MS = 2_000;
/** Weight of the newest message in the pace of a subscription. */
const PACE_WEIGHT = 0.1;
/** Greatest pace in ms. With this pace, a chain still gets some followers, by which a smaller pace can be measured. */
const MAX_PACE_MS = 100;

/** Claims and releases followers. One statement claims or releases the followers of many chains. */
export class FollowerClaims {
  private readonly claims: Batcher<ClaimedDelivery, readonly ClaimedDelivery[]>;
  private readonly releases: Batcher<readonly ClaimedDelivery[], undefined>;
  /** Maps the id of a subscription to the end of its pause, by `performance.now()`. */
  private readonly pauses = new Map<number, number>();
  /** Maps the id of a subscription to its pace: the average time in ms that a message takes in a chain. */
  private readonly paces = new Map<number, number>();

  constructor(private readonly options: FollowerClaimsOptions) {
    const { database, claimant, lowWaterMarks } = options;
    this.claims = new Batcher({
      ...BATCHES,
      maxItems: CHAINS_AT_ONCE,
      run: (leaders) =>
        claimFollowers(
          database,
          leaders.map((leader) => ({ ...leader, pace_ms: Math.ceil(this.paces.get(leader.subscription_id) ?? 0) })),
          claimant.worker,
          lowWaterMarks.current,
        ),
    });
    this.releases = new Batcher({
      ...BATCHES,
      run: async (chains) => {
        await releaseFollowers(database, chains.flat());
        return chains.map(() => undefined);
      },
    });
  }

  /** Claims the followers of a delivery. Never rejects: when claiming fails, the deliveries stay due. */
  async claim(leader: ClaimedDelivery): Promise<readonly ClaimedDelivery[]> {
    if (!mayLead(leader) || this.isPaused(leader.subscription_id)) return [];
    try {
      const followers = await this.claims.add(leader);
      this.options.metrics.followersClaimed(followers.length);
      return followers;
    } catch (error) {
      this.log(error, leader, 'further deliveries of a chain could not be claimed: they stay due');
      return [];
    }
  }

  /**
   * Adds the time that a message of a chain has taken to the pace of the subscription. The time includes the wait until
   * the result of the message before is stored. So later chains get as many followers as this process can send in time.
   */
  notePace(subscriptionId: number, paceMs: number): void {
    const newest = Math.min(paceMs, MAX_PACE_MS);
    const average = this.paces.get(subscriptionId) ?? newest;
    this.paces.set(subscriptionId, average + (newest - average) * PACE_WEIGHT);
  }

  /** Releases followers. Never rejects: the sweeper requeues followers that could not be released. */
  async release(followers: readonly ClaimedDelivery[]): Promise<void> {
    for (const { subscription_id: id } of followers.slice(0, 1)) this.pauses.set(id, performance.now() + PAUSE_MS);
    try {
      await this.releases.add(followers);
      this.options.metrics.followersReleased(followers.length);
    } catch (error) {
      this.log(error, followers[0], 'claimed deliveries of a chain could not be released: the sweeper requeues them');
    }
  }

  private isPaused(subscriptionId: number): boolean {
    const until = this.pauses.get(subscriptionId);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.pauses.delete(subscriptionId);
    return false;
  }

  private log(error: unknown, delivery: ClaimedDelivery | undefined, message: string): void {
    const about = { subscription_id: delivery?.subscription_id, err: error };
    this.options.logger[failureLevel(error, 'warn')](about, message);
  }
}
