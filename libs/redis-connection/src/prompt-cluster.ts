import { Cluster } from 'ioredis';

/**
 * A cluster client that rejects commands while it knows no node. The option `enableOfflineQueue: false` of ioredis
 * would also reject commands for a node whose connection is being opened, which the first command for that node causes.
 */
export class PromptCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client itself sends `cluster` commands to find the nodes.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('no connection to the cluster'));
    return command.promise;
  }
}
