import { type PackagePrint, PRINT_FORMAT } from '#engines/similarity/package-print.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed } from '../../platform/sandbox/run-sandboxed.ts'
import { PrintMessageSchema } from './print-messages.ts'

/** Of one worker: several times what a package of 200 MB needs. */
export const PRINT_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 300, wallSeconds: 600, openFiles: 256 }
/** The print of the largest package that is read. */
const PRINT_BYTES = 64 * 2 ** 20

let reading: Promise<void> = Promise.resolve()
let isolation: Promise<Isolation> | undefined

/** What this machine keeps the worker in; `hidden`: the data of the installation. */
export function printIsolation(hidden: string): Promise<Isolation> {
  isolation ??= findIsolation(boundedProgram(PRINT_LIMITS, 'print-worker'), PRINT_LIMITS, { hidden })
  return isolation
}

export interface PrintDeps {
  readonly meta: MetaStore
  readonly files: FileStore
  isolation(): Promise<Isolation>
  now(): number
  readonly limits?: Partial<SandboxLimits>
}

export type Printed = { readonly print: PackagePrint } | { readonly problem: string }

/**
 * The print of a package in the file store: read in the sandbox once, and kept. Undefined where `signal` was aborted before it was done.
 * @param name its file name, whose ending decides where content leaves the kind open
 */
export async function packagePrint(
  deps: PrintDeps,
  sha256: string,
  name: string,
  signal: AbortSignal,
): Promise<Printed | undefined> {
  // One at a time: each may take as much memory as a scan, and markets offer the same file at the same moment.
  const before = reading
  let next = () => {}
  reading = new Promise<void>((resolve) => {
    next = resolve
  })
  await before
  try {
    return (await knownPrint(deps, sha256)) ?? (await makePrint(deps, sha256, name, signal))
  } finally {
    next()
  }
}

async function knownPrint({ meta }: PrintDeps, sha256: string): Promise<Printed | undefined> {
  const row = await meta.db
    .selectFrom('package_prints')
    .select(['format', 'print', 'problem'])
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (row?.format !== PRINT_FORMAT) return undefined
  return row.print ? { print: row.print as PackagePrint } : { problem: row.problem }
}

async function makePrint(
  deps: PrintDeps,
  sha256: string,
  name: string,
  signal: AbortSignal,
): Promise<Printed | undefined> {
  const made = await readInSandbox(deps, sha256, name, signal)
  if (!made) return undefined
  const row = {
    format: PRINT_FORMAT,
    print: 'print' in made ? JSON.stringify(made.print) : null,
    problem: 'problem' in made ? made.problem : '',
    made_at: deps.now(),
  }
  await deps.meta.db
    .insertInto('package_prints')
    .values({ sha256, ...row })
    .onConflict((on) => on.column('sha256').doUpdateSet(row))
    .execute()
  return made
}

async function readInSandbox(
  deps: PrintDeps,
  sha256: string,
  name: string,
  signal: AbortSignal,
): Promise<Printed | undefined> {
  const file = await deps.files.open(sha256)
  const limits = { ...PRINT_LIMITS, ...deps.limits }
  let made: Printed | undefined
  const end = await runSandboxed({
    program: boundedProgram(limits, 'print-worker'),
    isolation: await deps.isolation(),
    limits,
    order: { name, size: file.size },
    input: file.stream(),
    outputBytes: PRINT_BYTES,
    signal,
    background: true,
    onLine(line) {
      made ??= messageOf(line)
    },
  })
  if (end.ended === 'stopped') return undefined
  if (made) return made
  if (end.ended === 'crashed') log.error({ detail: end.detail, sha256 }, 'a print worker crashed')
  return { problem: end.ended === 'limit' ? `limit ${end.limit}` : end.ended }
}

function messageOf(line: string): Printed {
  try {
    const message = PrintMessageSchema.parse(JSON.parse(line))
    return 'print' in message ? { print: message.print as PackagePrint } : { problem: message.refused }
  } catch (error) {
    log.error({ err: error }, 'a print worker sent an invalid message')
    return { problem: 'broken' }
  }
}
