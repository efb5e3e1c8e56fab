const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Makes a starting process exit with 0 on SIGTERM or SIGINT, because it has no work to finish. Call it before the app
 * is loaded, because loading takes longer than starting.
 * @returns a function to call when the app has started. From then on, a signal starts a deadline. At the deadline
 *   the process exits with 0, even if connections to a hanging server are open.
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
