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
 * Time for which a subscription gets no followers after some of them were released unsent. Claiming and releasing
 * followers again and again would cost more than it saves, for example while this machine is busy.
 */
const PAUSE_MS = 2_000;
/** Weight of the newest message in the pace of a subscription. */
const PACE_WEIGHT = 0.1;
/** Longest pace in ms. A chain then still has some followers, from which a shorter pace can be measured. */
const MAX_PACE_MS = 100;

/** Claims and releases followers. One statement claims or releases the followers of many chains. */
export class FollowerClaims {
  private readonly claims: Batcher<ClaimedDelivery, readonly ClaimedDelivery[]>;
  private readonly releases: Batcher<readonly ClaimedDelivery[], undefined>;
  /** The time when the pause of a subscription ends, by `performance.now()`. The key is the id of the subscription. */
  private readonly pauses = new Map<number, number>();
  /** The average time that a message takes in a chain, in ms by the id of the subscription. */
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
   * Notes the time that a message of a chain has taken, including the wait until the result before it is stored. So
   * later chains get as many followers as this process can send in time.
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
