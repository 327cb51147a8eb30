import type { LogOutput, saveLogOutput } from '#contracts/http/audit-log.ts'
import type { BodyInputOf } from '#contracts/http/endpoint.ts'

/** What the form of an output holds; `port` as typed. */
export type OutputForm = {
  kind: LogOutput['kind']
  name: string
  enabled: boolean
  host: string
  port: string
  ca: string
  /** Takes away the certificate authority that is stored. */
  dropCa: boolean
  url: string
  history: boolean
}

const EMPTY: OutputForm = {
  kind: 'syslog',
  name: '',
  enabled: true,
  host: '',
  port: '6514',
  ca: '',
  dropCa: false,
  url: '',
  history: false,
}

export function formOfOutput(output: LogOutput | null): OutputForm {
  if (!output) return EMPTY
  const { kind, name, enabled, target } = output
  if (kind === 'webhook') return { ...EMPTY, kind, name, enabled, url: target }
  const colon = target.lastIndexOf(':')
  const host = target.slice(0, colon).replace(/^\[|\]$/g, '')
  return { ...EMPTY, kind, name, enabled, host, port: target.slice(colon + 1) }
}

export function isPort(port: string): boolean {
  return /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535
}

/** The body that saves the form; null while something is missing or wrong. */
export function bodyOfOutput(form: OutputForm, id: string | undefined): BodyInputOf<typeof saveLogOutput> | null {
  const { kind, enabled, history } = form
  const common = { ...(id !== undefined && { id }), name: form.name.trim(), enabled, history }
  if (common.name === '') return null
  if (kind === 'webhook') {
    const url = form.url.trim()
    return /^https?:\/\/\S+$/.test(url) ? { kind, ...common, url } : null
  }
  const host = form.host.trim()
  const ca = form.ca.trim()
  if (host === '' || !isPort(form.port)) return null
  return { kind, ...common, host, port: Number(form.port), ...((ca !== '' || form.dropCa) && { ca }) }
}
