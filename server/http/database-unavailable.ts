/** SQLSTATE: class 08 (connection), 57P01 to 57P03 (shutting down, crashed, starting). */
const STATES = /^(08...|57P0[123])$/
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/** What the driver says without a code when its server went away. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Whether a query failed because PostgreSQL is not there at this moment: it is being started again, and the same call works then. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && STATES.test(code)) return true
  if (syscall === 'connect' && (code === 'ENOENT' || CONNECTION_CODES.has(code ?? ''))) return true
  return MESSAGES.test(error.message)
}
