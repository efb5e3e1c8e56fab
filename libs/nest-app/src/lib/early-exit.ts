const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Makes a process that is still starting exit with 0 on SIGTERM or SIGINT: it has no work to finish. Call it before the
 * app is loaded, because loading takes longer than starting.
 * @returns a function to call once the app has started. A signal that arrives after this call starts a deadline. At the
 * deadline the process exits with 0, even when connections to a hanging server are still open.
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
