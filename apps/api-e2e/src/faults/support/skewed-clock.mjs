// @ts-check
// Loaded with `node --import` before an app. Shifts `Date` by CLOCK_SKEW_MS; timers are unchanged.
const skewMs = Number(process.env['CLOCK_SKEW_MS']);
const RealDate = Date;

globalThis.Date = /** @type {DateConstructor} */ (
  /** @type {unknown} */ (
    class extends RealDate {
      /** @param {...any} given */
      constructor(...given) {
        if (given.length === 0) super(RealDate.now() + skewMs);
        else super(.../** @type {[any]} */ (given));
      }

      static now() {
        return RealDate.now() + skewMs;
      }
    }
  )
);
