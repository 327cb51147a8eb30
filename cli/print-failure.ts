import { FormatError } from '#engines/bytes/format-error.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

/**
 * Prints why a command refuses: a usage error with the usage, an input that is refused, what the system says of a file. Answers the exit
 * code, 2. Every other error is a fault of the program and is thrown again.
 */
export function printFailure(error: unknown, usage: string, print: (text: string) => void): number {
  if (error instanceof UsageError) print(`${printable(error.message)}\n\n${usage}`)
  else if (error instanceof FormatError) print(`refused: ${printable(error.message)}`)
  else if (error instanceof Error && (error as NodeJS.ErrnoException).code !== undefined)
    print(printable(error.message))
  else throw error
  return 2
}
