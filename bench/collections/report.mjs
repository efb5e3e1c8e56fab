/** What was promised, and whether it was kept: said at once, and by the exit code in the end. */
export class Report {
  /** @returns {boolean} `isMet` */
  judge(promise, isMet, figure) {
    console.log(`${isMet ? 'met' : 'MISSED'}: ${promise} (${figure})`);
    if (!isMet) process.exitCode = 1;
    return isMet;
  }
}
