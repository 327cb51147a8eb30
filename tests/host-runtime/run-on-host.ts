import { type HostException, type LauncherOutput, startLauncher } from './start-launcher.ts'

/** How a program ended and what it wrote. */
export interface HostRun {
  readonly stdout: string
  readonly stderr: string
  /** Lines of android.util.Log, `D/tag: message`. */
  readonly log: string
  /** Status of System.exit, 0 at the end of main and of all threads, 1 after an uncaught exception; null where the process died. */
  readonly exit: number | null
  readonly exception?: HostException
  /** Name of the signal, `timeout`, or why the dex files were not loaded. */
  readonly died?: string
  /** What ART itself wrote, where it died. */
  readonly runtimeLog?: string
}

/**
 * Runs `main(String[])` of a class on the ART of this machine, in a process of its own.
 * @param mainClass `package.Class`
 * @param timeout milliseconds
 */
export async function runOnHost(
  dexFiles: readonly Uint8Array[],
  mainClass: string,
  args: readonly string[] = [],
  timeout = 60_000,
  checkJni = false,
): Promise<HostRun> {
  const output = await startLauncher(dexFiles, ['run', mainClass], ['--', ...args], timeout, checkJni)
  return runOf(output, output.report[0], output)
}

/**
 * Runs several programs of the same dex files one after the other in one process, and in another one from the program on that follows one that
 * ended the process. Programs must not share state.
 */
export async function runAllOnHost(
  dexFiles: readonly Uint8Array[],
  mainClasses: readonly string[],
  timeout = 60_000,
  checkJni = false,
): Promise<Map<string, HostRun>> {
  const runs = new Map<string, HostRun>()
  let left = mainClasses
  while (left.length > 1) {
    const output = await startLauncher(dexFiles, ['run', left.join(',')], [], timeout, checkJni)
    const texts = byProgram(output.stdout)
    const logs = byProgram(output.log)
    const errors = byProgram(output.stderr)
    // None began: the files did not load.
    const begun = left.filter((name) => texts.has(name))
    if (!begun.length) {
      for (const name of left) runs.set(name, runOf(output, output.report[0], { stdout: '', stderr: '', log: '' }))
      return runs
    }
    for (const name of begun) {
      const line = output.report.find((one) => one['program'] === name)
      const written = { stdout: texts.get(name) ?? '', stderr: errors.get(name) ?? '', log: logs.get(name) ?? '' }
      runs.set(name, runOf(output, line, written))
    }
    left = left.slice(begun.length)
  }
  if (left.length) runs.set(left[0]!, await runOnHost(dexFiles, left[0]!, [], timeout, checkJni))
  return runs
}

function runOf(
  { report, status, signal, timedOut, runtimeLog }: LauncherOutput,
  line: Record<string, unknown> | undefined,
  { stdout, stderr, log }: { stdout: string; stderr: string; log: string },
): HostRun {
  const written = { stdout, stderr, log }
  if (line?.['program'] !== undefined) {
    const exception = line['exception'] as HostException | undefined
    return { ...written, exit: line['exit'] as number, ...(exception && { exception }) }
  }
  const refused = report.find((one) => one['notStarted'] !== undefined)
  const why = refused
    ? `not loaded: ${messageOf(refused)}`
    : timedOut
      ? 'timeout'
      : // ART catches a signal, writes what it was and ends with status 1.
        (signal ?? /Fatal signal \d+ \((\w+)\)/.exec(runtimeLog)?.[1] ?? `ended with status ${status} and no report`)
  return { ...written, exit: null, died: why, runtimeLog: runtimeLog.slice(-4000) }
}

/** The innermost cause of what was not started. */
export function messageOf(refused: Record<string, unknown>): string {
  let exception = refused['exception'] as HostException | undefined
  while (exception?.cause) exception = exception.cause
  return `${refused['notStarted']}${exception ? `: ${exception.type}: ${exception.message ?? ''}` : ''}`
}

/** Parts of an output; each begins with a NUL, the name and a line feed. */
function byProgram(text: string): Map<string, string> {
  return new Map(
    text
      .split('\0')
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return [part.slice(0, end), part.slice(end + 1)]
      }),
  )
}
