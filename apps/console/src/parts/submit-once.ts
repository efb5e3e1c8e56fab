/**
 * Makes a handler of `submit` that ignores further submits until the first one has its answer. Otherwise a double click
 * would create two items.
 */
export function submitOnce<Submit extends Event>(
  handle: (event: Submit) => Promise<void>,
): (event: Submit) => Promise<void> {
  let isBusy = false;
  return async (event) => {
    // Otherwise the browser sends the form itself.
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await handle(event);
    } finally {
      isBusy = false;
    }
  };
}
