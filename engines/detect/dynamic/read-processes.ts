import { linesOf } from './phone-text.ts'

export interface Process {
  readonly pid: number
  readonly name: string
}

const MOST_LINES = 20_000

/** Reads `ps -A -n -o UID,PID,NAME`: the processes of one user id. */
export function readProcesses(text: string, uid: number): Process[] {
  return linesOf(text, MOST_LINES).flatMap((line) => {
    const match = /^\s*(\d{1,10})\s+(\d{1,10})\s+(\S{1,300})\s*$/.exec(line)
    return match && Number(match[1]) === uid ? [{ pid: Number(match[2]), name: match[3]! }] : []
  })
}
