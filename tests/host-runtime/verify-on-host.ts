import { messageOf } from './run-on-host.ts'
import { type HostException, startLauncher } from './start-launcher.ts'

export interface VerifierFailure {
  /** `package.Class` */
  readonly class: string
  /** `void package.Class.method(int)`; empty where the class itself was rejected. */
  readonly method: string
  readonly message: string
}

export interface HostVerification {
  /** Why no class was looked at: ART refuses the file (checksum, structure). */
  readonly refused?: string
  readonly classes: number
  /** ART refuses such a class with a VerifyError when it is first used. */
  readonly hard: readonly VerifierFailure[]
  /** ART verifies such a class again when it runs, and throws where the instruction is reached. */
  readonly soft: readonly string[]
  /** References of such a class lead nowhere, or to members that it may not use. */
  readonly access: readonly string[]
  /** Classes that are not linked, with the exception: superclasses that are missing or do not fit. */
  readonly unlinked: readonly { readonly class: string; readonly exception: HostException }[]
}

const ACCESS = 1
const SOFT = 2
const HARD = 3

/**
 * Runs ART's verifier over every class of these dex files, as one application. Classes of Android that are missing here make soft and access
 * failures; superclasses and interfaces have to be there (stubSuperclasses makes them).
 * @param timeout milliseconds
 */
export async function verifyOnHost(dexFiles: readonly Uint8Array[], timeout = 120_000): Promise<HostVerification> {
  const { report, signal, status, timedOut, runtimeLog } = await startLauncher(dexFiles, ['verify'], [], timeout)
  const failures = (kind: number) => report.filter((line) => line['failure'] === kind)
  const names = (kind: number) => failures(kind).map((line) => line['class'] as string)
  const refused = report.find((line) => line['notStarted'] !== undefined)
  const counted = report.find((line) => line['classes'] !== undefined)
  if (!counted && !refused)
    throw new Error(
      `the verifier ended with ${timedOut ? 'a timeout' : (signal ?? status)}: ${runtimeLog.slice(-2000)}`,
    )
  return {
    ...(refused && { refused: messageOf(refused) }),
    classes: (counted?.['classes'] as number | undefined) ?? 0,
    hard: failures(HARD).flatMap((line) => failuresOf(line['class'] as string, line['error'] as string)),
    soft: names(SOFT),
    access: names(ACCESS),
    unlinked: report
      .filter((line) => line['class'] !== undefined && line['exception'] !== undefined)
      .map((line) => ({ class: line['class'] as string, exception: line['exception'] as HostException })),
  }
}

/** `Verifier rejected class a.B: void a.B.c() failed to verify: void a.B.c(): [0x5] …`, a line for each further method. */
function failuresOf(name: string, error: string): VerifierFailure[] {
  const rest = error.replace(/^Verifier rejected class \S+?:? /, '')
  const methods = [...rest.matchAll(/^ ?(\S.*?) failed to verify: (.*)$/gm)]
  if (!methods.length) return [{ class: name, method: '', message: error }]
  return methods.map(([, method, message]) => ({
    class: name,
    method: method!,
    message: message!.replace(`${method}: `, ''),
  }))
}
