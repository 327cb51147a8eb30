/** What is loaded ahead of its use comes so long after the page, in ms: it is no part of the first load. */
export const SETTLED_MS = 5000
