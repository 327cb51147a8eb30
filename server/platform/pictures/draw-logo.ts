import { startProgram } from '../../programs.ts'
import { logoSvg } from './logo-svg.ts'

const PATIENCE_MS = 15_000

/** A PNG of the logo, drawn by a process of its own with bounded time; undefined where it is no picture that is taken. */
export async function drawLogo(bytes: Uint8Array): Promise<Buffer | undefined> {
  const svg = logoSvg(bytes)
  if (svg === undefined) return undefined
  return new Promise((resolve) => {
    const child = startProgram('logo-process', [], {
      execArgv: ['--max-old-space-size=256'],
      env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let drawn: Buffer | undefined
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    child.once('message', (message) => {
      if (typeof message === 'string') drawn = Buffer.from(message, 'base64')
    })
    child.once('error', () => child.kill('SIGKILL'))
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(drawn)
    })
    child.send(svg)
  })
}
