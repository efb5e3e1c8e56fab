/** No connection is open by then (see `Draining`); what is left is of servers that hang, or of queries that nobody waits for. */
const STOPPED_AT_LATEST_MS = 29_000;

/** What has not started has nothing to finish. */
let isStarted = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    if (isStarted) setTimeout(() => process.exit(0), STOPPED_AT_LATEST_MS).unref();
    else process.exit(0);
  });
}

// Not before there is an answer to signals: to load it all takes longer than to start it.
const { start } = await import('./start.js');
await start();
isStarted = true;
