import { createServer } from 'node:net'
import type { Config } from '../config.ts'

/** The sentence for an operator whose port cannot be listened at; undefined for every other error. */
export function portProblem(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'bind' && syscall !== 'getaddrinfo') return undefined
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (code === 'EADDRINUSE') return `Port ${port} is in use: another program listens at ${at}. Stop it or set PORT.`
  if (code === 'EACCES') return `This account may not listen at ${at}. Set PORT to 1024 or above.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine. Set HOST.`
  return undefined
}

/** Listens for a moment, so that a taken port is reported before anything else is started. Throws the listener's error. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ host, port, exclusive: true }, resolve)
  })
  await new Promise((closed) => probe.close(closed))
}
