import { type ChildProcess, fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { OPTIONS } from '#runtime/start-process.ts'
import { programCommand, startProgram } from '../../programs.ts'
import { releaseFolder } from './installation.ts'
import type { UpdateTask, UpdateTaskAnswer } from './update-tasks.ts'

/** No task takes longer on any disk that the product can work with. */
const LONGEST_MS = 30 * 60_000
const KEPT_OUTPUT = 4000

/**
 * Runs a task in a process of its own: of this release, or of another one of the installation. Answers `failed` where the process ended
 * without an answer.
 */
export function runUpdateTask(
  task: UpdateTask,
  release?: { home: string; version: string },
): Promise<UpdateTaskAnswer> {
  const options = {
    env: { ...process.env, [OPTIONS]: JSON.stringify(task) },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'] as ('ignore' | 'inherit' | 'pipe' | 'ipc')[],
  }
  if (!release) return answerOf(() => startProgram('update-worker', [], options))
  const folder = releaseFolder(release.home, release.version)
  const execPath = join(folder, 'bin/node')
  return answerOf(() => fork(join(folder, 'dist/node/update-worker.js'), [], { ...options, execPath, execArgv: [] }))
}

function answerOf(start: () => ChildProcess): Promise<UpdateTaskAnswer> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = start()
    } catch (error) {
      resolve({ failed: 'internal', detail: (error as Error).message }) // the caller reports it
      return
    }
    let answer: UpdateTaskAnswer | undefined
    const output = tailOf(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
    child.on('message', (message: UpdateTaskAnswer) => {
      answer = message
    })
    child.on('error', (error) => resolve({ failed: 'internal', detail: error.message }))
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      resolve(answer ?? { failed: 'internal', detail: `ended with ${code ?? signal}: ${output()}` })
    })
  })
}

/** Runs `appwarden …` of this release; its output, or an Error with the end of it. */
export function runCommandLine(args: readonly string[]): Promise<string> {
  const { file, args: program } = programCommand('cli')
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output = tailOf(child)
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve(output()) : reject(new Error(`${code ?? signal}: ${output()}`)),
    )
  })
}

function tailOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-KEPT_OUTPUT)
    })
  return () => text.trim()
}
