import { type HostRun, runAllOnHost } from './run-on-host.ts'
import type { HostException } from './start-launcher.ts'

export interface ExecutionDifference {
  readonly program: string
  readonly what: 'stdout' | 'stderr' | 'log' | 'exit' | 'exception' | 'died'
  readonly before: unknown
  readonly after: unknown
}

export interface Compared {
  /** Main classes, those of `before`. */
  readonly programs: readonly string[]
  /** Classes that the transform renamed: old name, new name. */
  readonly renamed?: ReadonlyMap<string, string>
  /** What the transform changes on purpose. */
  readonly except?: readonly ExecutionDifference['what'][]
  readonly timeout?: number
  /** Whether the second run ends where native code breaks a rule of JNI. */
  readonly checkJni?: boolean
}

/** Runs the same programs from two sets of dex files and lists what differs. Stack traces are not compared. */
export async function compareExecution(
  before: readonly Uint8Array[],
  after: readonly Uint8Array[],
  { programs, renamed, except = [], timeout, checkJni }: Compared,
): Promise<ExecutionDifference[]> {
  const newName = (name: string) => renamed?.get(name) ?? name
  const [first, second] = [
    await runAllOnHost(before, programs, timeout),
    await runAllOnHost(after, programs.map(newName), timeout, checkJni),
  ]
  return programs.flatMap((program) =>
    differences(program, first.get(program)!, second.get(newName(program))!).filter(
      ({ what }) => !except.includes(what),
    ),
  )
}

function differences(program: string, before: HostRun, after: HostRun): ExecutionDifference[] {
  const pairs = {
    stdout: [before.stdout, after.stdout],
    stderr: [before.stderr, after.stderr],
    log: [before.log, after.log],
    exit: [before.exit, after.exit],
    exception: [chainOf(before.exception), chainOf(after.exception)],
    died: [before.died, after.died],
  }
  return Object.entries(pairs)
    .filter(([, [one, other]]) => one !== other)
    .map(([what, [one, other]]) => ({ program, what: what as ExecutionDifference['what'], before: one, after: other }))
}

/** Types and messages of an exception and of its causes. */
function chainOf(exception: HostException | undefined): string {
  const parts: string[] = []
  for (let one = exception; one; one = one.cause) parts.push(`${one.type}: ${withoutAddresses(one.message ?? '')}`)
  return parts.join(' <- ')
}

/** ART names files that it loaded from memory after their address. */
function withoutAddresses(message: string): string {
  return message.replace(/DexFile@\d+/g, 'DexFile')
}
