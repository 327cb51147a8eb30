/** What cannot be understood: one line for who typed it. */
export class UsageError extends Error {}
