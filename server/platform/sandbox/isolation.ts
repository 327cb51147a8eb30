import { spawn } from 'node:child_process'
import { type Program, type ProgramCommand, programCommand } from '../../programs.ts'

/** What a child may use. */
export type SandboxLimits = { memoryMb: number; cpuSeconds: number; wallSeconds: number; openFiles: number }

/** Of a scan: many times what a package of 200 MB needs. */
export const SCAN_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 600, wallSeconds: 900, openFiles: 256 }

/** The command that a child is put behind, what that keeps in, and what this machine does not allow. */
export type Isolation = { prefix: readonly string[]; kept: readonly string[]; missing: readonly string[] }

type Layer = { name: string; command: readonly string[] }

const PROBE_MS = 20_000
const UNPRIVILEGED_ID = '65534'

/**
 * Finds what this machine allows to put before a child that reads hostile bytes: no network, another user without privileges, bounded
 * memory, processor time and files. All of it is tried with the program itself, then layer by layer: a container may forbid any.
 */
export async function findIsolation(
  program: ProgramCommand,
  limits: SandboxLimits,
  { root = process.getuid?.() === 0, hidden }: { root?: boolean; hidden: string },
): Promise<Isolation> {
  const wantedLayers = layersOf(limits, root, hidden)
  const best = wantedLayers.flatMap(([, [layer]]) => (layer ? [layer] : []))
  const whole = best.toReversed().flatMap(({ command }) => command)
  if (await works(whole, program)) return { prefix: whole, kept: best.map(({ name }) => name), missing: [] }
  const kept: string[] = []
  const missing: string[] = []
  let prefix: readonly string[] = []
  for (const [wanted, layers] of wantedLayers) {
    let found = false
    for (const layer of layers) {
      const tried = [...layer.command, ...prefix]
      if (!(await works(tried, program))) continue
      prefix = tried
      kept.push(layer.name)
      found = true
      break
    }
    if (!found) missing.push(wanted)
  }
  return { prefix, kept, missing }
}

/** From the innermost out; of each kind the first that works. */
function layersOf(limits: SandboxLimits, root: boolean, hidden: string): [string, Layer[]][] {
  const { memoryMb, cpuSeconds, openFiles } = limits
  const bounds = [
    `--as=${memoryMb * 1024 * 1024}`,
    `--cpu=${cpuSeconds}`,
    '--fsize=0',
    `--nofile=${openFiles}`,
    '--core=0',
  ]
  const user = [
    '--reuid',
    UNPRIVILEGED_ID,
    '--regid',
    UNPRIVILEGED_ID,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
  ]
  return [
    [
      'bounded memory, processor time and files',
      [{ name: `prlimit ${bounds.map((one) => one.slice(2)).join(' ')}`, command: ['prlimit', ...bounds] }],
    ],
    [
      'another user without privileges',
      [
        ...(root ? [{ name: 'setpriv nobody no-new-privs', command: ['setpriv', '--no-new-privs', ...user] }] : []),
        { name: 'setpriv no-new-privs', command: ['setpriv', '--no-new-privs'] },
      ],
    ],
    [
      'no network',
      root
        ? [{ name: 'unshare net ipc', command: ['unshare', '--net', '--ipc'] }]
        : [
            { name: 'bwrap net ipc pid read-only', command: bubble(hidden) },
            { name: 'unshare user net ipc', command: ['unshare', '--user', '--map-root-user', '--net', '--ipc'] },
          ],
    ],
  ]
}

/** Everything read-only, own namespaces, and the data of the installation out of sight. */
function bubble(hidden: string): string[] {
  const view = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', hidden]
  return ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', ...view]
}

function works(prefix: readonly string[], program: ProgramCommand): Promise<boolean> {
  const [file = program.file, ...args] = [...prefix, program.file, ...program.args, '--probe']
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', env: childEnvironment(), cwd: '/', timeout: PROBE_MS })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** Nothing of ours: the environment holds keys and addresses of stores. Each arena of malloc takes 64 MB of the address space, which is bounded. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TSX_DISABLE_CACHE: '1', MALLOC_ARENA_MAX: '2' }
}

/** The program with its heap bounded well below the memory of the process: buffers count against that too. */
export function boundedProgram(limits: SandboxLimits, program: Program = 'scan-worker'): ProgramCommand {
  // Without guard pages WebAssembly reserves no more address space than it uses.
  return programCommand(program, [
    `--max-old-space-size=${Math.floor(limits.memoryMb / 2)}`,
    '--disable-wasm-trap-handler',
  ])
}
