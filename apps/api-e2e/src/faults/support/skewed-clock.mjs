// @ts-check
// Loaded before an app (`node --import`): its clock is wrong by CLOCK_SKEW_MS. Timers are not touched.
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
