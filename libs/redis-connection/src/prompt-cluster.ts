import { Cluster } from 'ioredis';

/**
 * A cluster client that rejects commands while it has found no node of the cluster. The option `enableOfflineQueue:
 * false` of ioredis does not serve this purpose: it also rejects the first command for a node, because that command
 * opens the connection to the node.
 */
export class PromptCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client sends `cluster` commands before it is ready, because it finds the nodes with them.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('no connection to the cluster'));
    return command.promise;
  }
}
