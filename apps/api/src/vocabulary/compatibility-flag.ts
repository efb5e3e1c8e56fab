/**
 * Differences between versions that handlers must implement, because converting requests and answers is not enough:
 * - `account_activation` (below 1.8): a new candidate is `pending_activation` and gets an e-mail with an activation
 *   link
 * - `candidate_comms` (below 1.9): an application shows all communications of its candidate
 * - `html_scalars` (below 1.9): `rich_txt_fmt=html` turns numbers and booleans into HTML texts, too
 * Source: docs/reference/versions.md, "Changes".
 */
export type CompatibilityFlag = 'account_activation' | 'candidate_comms' | 'html_scalars';
