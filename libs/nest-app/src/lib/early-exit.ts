const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Makes a process that is still starting exit with 0 on SIGTERM or SIGINT: it has no work to finish. Call it before the
 * app is loaded, because loading takes longer than starting.
 * @returns a function to call once the app has started. After this call a signal starts the deadline after which the
 * process exits with 0, even if a server that hangs keeps connections open.
 */
export function exitUntilStarted(): (options: { readonly deadlineMs: number }) => void {
  let deadlineMs: number | undefined;
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      if (deadlineMs === undefined) process.exit(0);
      setTimeout(() => process.exit(0), deadlineMs).unref();
    });
  }
  return (options) => {
    deadlineMs = options.deadlineMs;
  };
}
