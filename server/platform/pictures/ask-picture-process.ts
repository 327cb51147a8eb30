import type { Serializable } from 'node:child_process'
import { log } from '#runtime/log.ts'
import { makeTurns } from '#runtime/make-turns.ts'
import { startProgram } from '../../programs.ts'

type PictureProgram = 'logo-process' | 'picture-process'

const inTurn = makeTurns(2)

/**
 * What a process of its own answers to one message: whatever a hostile picture does to it, it does to no other process. Undefined, and a
 * line in the log, where it ends without an answer or takes longer than `patienceMs`.
 */
export function askPictureProcess(
  program: PictureProgram,
  message: Serializable,
  patienceMs: number,
): Promise<unknown> {
  return inTurn(() => ask(program, message, patienceMs))
}

function ask(program: PictureProgram, message: Serializable, patienceMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const child = startProgram(program, [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let answer: unknown
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const end = (why: object) => {
      clearTimeout(timer)
      if (answer === undefined) log.warn({ program, ...why }, 'pictures: a process gave no answer')
      resolve(answer)
    }
    child.once('message', (said) => {
      answer = said
    })
    // A process that could not be started has no exit.
    child.once('error', (err) => {
      child.kill('SIGKILL')
      end({ err })
    })
    child.once('exit', (code, signal) => end({ code, signal }))
    child.send(message)
  })
}
