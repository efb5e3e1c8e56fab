import { Cluster } from 'ioredis';

/**
 * A cluster client that rejects commands as long as it has found no node of the cluster. The option
 * `enableOfflineQueue: false` of ioredis cannot be used instead: it also rejects the first command for each node,
 * because that command opens the connection.
 */
export class PromptCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client finds the nodes with `cluster` commands, which it sends before it is ready.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('there is no connection to the Redis Cluster'));
    return command.promise;
  }
}
