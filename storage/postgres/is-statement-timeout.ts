/** Whether a statement ran into the limit of openDatabase: SQLSTATE 57014 (query_canceled), or the driver got no answer at all. */
export function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as NodeJS.ErrnoException).code === '57014' || error.message === 'Query read timeout'
}
