/**
 * Older behaviours that a handler knows of by name, where the old answer cannot be made from the new one, or what is done differs:
 * - `account_activation` (below 1.8): a new candidate is `pending_activation`, and is sent an e-mail with a link that ends that; of a password, as SPEC.md 9 has it, there is no need (ADR 17)
 * - `candidate_comms` (below 1.9): the communications of an application are all those of its candidate
 * - `html_scalars` (below 1.9): `rich_txt_fmt=html` makes HTML of numbers and booleans too
 *
 * Source: SPEC.md 9.
 */
export type CompatibilityFlag = 'account_activation' | 'candidate_comms' | 'html_scalars';
