/** Prints each target and whether it was met, and sets exit code 1 for a missed one. */
export class Report {
  /** @returns {boolean} `isMet` */
  judge(promise, isMet, figure) {
    console.log(`${isMet ? 'met' : 'MISSED'}: ${promise} (${figure})`);
    if (!isMet) process.exitCode = 1;
    return isMet;
  }
}
