import { Cluster } from 'ioredis';

/**
 * A client of a cluster that refuses commands as long as there is none to send them to. Its own `enableOfflineQueue: false` would
 * also refuse what goes to a node whose connection is just being made, which is done with the first command for it.
 */
export class PromptCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // Those by which the client itself learns of the cluster are called so.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('no connection to the cluster'));
    return command.promise;
  }
}
