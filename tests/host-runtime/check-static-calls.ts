import { virtualiseDex } from '../support/virtualise-dex.ts'
import { assembleSmali } from './assemble-smali.ts'
import { runAllOnHost } from './run-on-host.ts'
import { staticCalls } from './static-calls.ts'
import { stubSuperclasses } from './stub-superclasses.ts'

/** What ART says where classes of Android are missing: which of two errors comes first differs, as the interpreter looks for null before it looks for a class. */
const MISSING =
  /^java\.lang\.(?:\w*(?:Link|Verify|NoSuch\w+|NoClassDefFound|IncompatibleClassChange|IllegalAccess|AbstractMethod|ExceptionInInitializer)\w*Error)$/

export interface CheckedCalls {
  /** Calls that say something else afterwards, a line each. */
  readonly problems: readonly string[]
  /** Calls that were compared, how many of them gave a value, and how many ended for want of a class and say nothing. */
  readonly compared: number
  readonly values: number
  readonly missing: number
  readonly virtualised: number
}

/**
 * Calls public static methods of dex files that others wrote before and after all of their methods are virtualised, below stubs of Android. Classes whose
 * calls do not say the same in two runs without a change are left out. `isWanted`: methods that are called, by class and name.
 */
export async function checkStaticCalls(
  code: readonly Uint8Array[],
  isWanted: (name: string) => boolean = () => true,
): Promise<CheckedCalls> {
  const { classes, programs } = staticCalls(code, isWanted)
  const more = [assembleSmali([...classes]), assembleSmali(stubSuperclasses(code, { withSignatures: true }))]
  const run = (dexFiles: readonly Uint8Array[], mains: readonly string[], checkJni = false) =>
    runAllOnHost([...dexFiles, ...more], mains, 300_000, checkJni)
  const mains = [...programs.values()]
  const [first, again] = [await run(code, mains), await run(code, mains)]
  const stable = [...programs].filter(
    ([, main]) => first.get(main)!.exit !== null && first.get(main)!.stdout === again.get(main)!.stdout,
  )
  const { files, count } = virtualiseDex(code)
  const after = await run(
    files,
    stable.map(([, main]) => main),
    true,
  )
  const sums = { compared: 0, values: 0, missing: 0 }
  const problems: string[] = []
  for (const [place, main] of stable) {
    const lines = first.get(main)!.stdout.trimEnd().split('\n')
    const ended = after.get(main)!
    const others = ended.stdout.trimEnd().split('\n')
    if (ended.died) problems.push(`${place}: ${ended.died} ${ended.runtimeLog ?? ''}`)
    for (const [i, line] of lines.entries()) {
      if (MISSING.test(line)) {
        sums.missing++
        continue
      }
      sums.compared++
      if (!/(?:Error|Exception)$/.test(line)) sums.values++
      if (line !== others[i]) problems.push(`${place}: ${line} became ${others[i]}`)
    }
  }
  return { problems, ...sums, virtualised: count }
}
