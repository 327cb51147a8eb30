/** How long an answer may be shown again before a newer one arrives. */
export const KEPT_MS = 30 * 60_000
/** `meta` of queries whose answers a page that is loaded again shows first (src/app/kept-answers.ts): figures and lists, never secrets. */
export const KEPT = { kept: true } as const
