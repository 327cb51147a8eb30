import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Every program of ours that Node runs: the name of its bundle and its source from the top folder. vite.config.ts builds these. */
export const programs = {
  main: 'server/main.ts',
  'collector-process': 'server/processes/collector-process.ts',
  'console-process': 'server/processes/console-process.ts',
  'jobs-process': 'server/processes/jobs-process.ts',
  'inspect-process': 'server/modules/assets/inspect-process.ts',
  'tool-process': 'server/modules/tools/tool-process.ts',
  'script-worker': 'server/modules/js-protection/script-worker.ts',
  'key-worker': 'server/modules/reinforce-signatures/key-worker.ts',
  'channel-worker': 'server/modules/reinforce-channels/channel-worker.ts',
  'harden-worker': 'server/modules/reinforce-tasks/harden-worker.ts',
  'sign-worker': 'server/modules/reinforce-tasks/sign-worker.ts',
  'print-worker': 'server/modules/monitoring/print-worker.ts',
  'scan-worker': 'server/modules/detection/scan-worker.ts',
  'recognise-process': 'server/platform/pictures/recognise-process.ts',
  'webp-thread': 'server/platform/pictures/webp-thread.ts',
  'logo-process': 'server/platform/pictures/logo-process.ts',
  'picture-process': 'server/platform/pictures/picture-process.ts',
  'report-worker': 'server/modules/reports/write/report-worker.ts',
  'store-process': 'storage/events/serve/store-process.ts',
  'update-worker': 'server/platform/updates/update-worker.ts',
  'relay-process': 'realtime/main.ts',
  'reading-thread': 'realtime/collect/read/reading-thread.ts',
  'device-fleet': 'mocks/device-fleet/main.ts',
  'app-markets': 'mocks/app-markets/main.ts',
  demo: 'mocks/demo/main.ts',
  cli: 'cli/main.ts',
} as const
export type Program = keyof typeof programs

// tsx and Vitest run this very file; in a bundle it is part of dist/node/<entry or chunk>.js, and all bundles lie flat beside it.
// `npm test` names bundles that it has just built: they are what is delivered, and start in a fraction of the time.
const bundles = process.env['APPWARDEN_BUNDLES']
const fromSource = import.meta.url.endsWith('.ts') && !bundles

function locate(program: Program): URL {
  if (bundles) return pathToFileURL(resolve(bundles, `${program}.js`))
  return fromSource ? new URL(`../${programs[program]}`, import.meta.url) : new URL(`./${program}.js`, import.meta.url)
}

/** Starts the program as a child process with an IPC channel. */
export function startProgram(program: Program, args: readonly string[] = [], options: ForkOptions = {}): ChildProcess {
  // DuckDB runs each query on a thread of libuv's pool: with the default of 4, four slow queries would block all others and the writer.
  const env = program === 'store-process' ? { ...(options.env ?? process.env), UV_THREADPOOL_SIZE: '16' } : options.env
  const execArgv = [...(options.execArgv ?? []), ...(fromSource ? ['--import', import.meta.resolve('tsx')] : [])]
  return fork(locate(program), args, { ...options, ...(env && { env }), execArgv })
}

/** MB for what a thread makes and drops again: half of what it would take by itself, at the same speed. */
const YOUNG_MB = 24

/** Starts the program as a thread of this process. Threads do not inherit how TypeScript is loaded. */
export function startThread(program: Program, data: unknown, options: WorkerOptions = {}): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB, ...options.resourceLimits }
  const all = { ...options, workerData: data, resourceLimits }
  if (!fromSource) return new Worker(locate(program), all)
  const [api, entry] = [import.meta.resolve('tsx/esm/api'), locate(program).href].map((url) => JSON.stringify(url))
  return new Worker(`import(${api}).then((tsx) => (tsx.register(), import(${entry})))`, {
    ...all,
    eval: true,
  })
}

export type ProgramCommand = { file: string; args: string[] }

/** How to start the program without an IPC channel, for programs that start it from their own command line. */
export function programCommand(program: Program, execArgv: readonly string[] = []): ProgramCommand {
  const loader = fromSource ? ['--import', import.meta.resolve('tsx')] : []
  return { file: process.execPath, args: [...execArgv, ...loader, fileURLToPath(locate(program))] }
}
