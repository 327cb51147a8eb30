import { createHash } from 'node:crypto'
import type { ApkFacts } from '#engines/apk/apk-facts.ts'
import { readApk } from '#engines/apk/read-apk.ts'
import type { Behaviour } from './behaviour.ts'

const DANGEROUS =
  /LOCATION|CAMERA|RECORD_AUDIO|CONTACTS|CALENDAR|SMS|CALL_LOG|PHONE|EXTERNAL_STORAGE|READ_MEDIA|BODY_SENSORS|NOTIFICATIONS/

export type SimulatedFile = { content: Buffer; modified: number; mode: string }
type Due = { after: number; since?: 'start' | 'input' }

/** A package that was really installed: what it declares is read from its bytes, what it does comes from a behaviour. */
export class InstalledApp {
  readonly id: string
  readonly facts: ApkFacts
  readonly sha256: string
  readonly uid: number
  readonly pid: number
  readonly behaviour: Behaviour
  /** Permission -> when it was granted. */
  readonly granted = new Map<string, number>()
  readonly opened: { activity: string; at: number; crashes: boolean }[] = []
  startedAt: number | undefined
  inputAt: number | undefined
  readonly #now: () => number

  constructor(bytes: Uint8Array, number: number, behaviours: Readonly<Record<string, Behaviour>>, now: () => number) {
    this.facts = readApk(bytes).facts
    this.id = this.facts.package?.value ?? ''
    this.sha256 = createHash('sha256').update(bytes).digest('hex')
    this.uid = 10_100 + number
    this.pid = 4000 + number * 10
    this.behaviour = behaviours[this.id] ?? {}
    this.#now = now
  }

  get path(): string {
    return `/data/app/~~simulated==/${this.id}-1==/base.apk`
  }
  get debuggable(): boolean {
    return this.facts.debuggable?.value === true
  }
  get activities(): string[] {
    return this.facts.components.filter(({ kind }) => kind === 'activity').map(({ name }) => name)
  }

  /** When it happens; undefined where it does not, or not yet. */
  happened({ after, since = 'start' }: Due): number | undefined {
    const from = since === 'start' ? this.startedAt : this.inputAt
    const at = from === undefined ? undefined : from + after
    return at !== undefined && at <= this.#now() ? at : undefined
  }

  /** What `appops get` writes. */
  uses(): string {
    const last = new Map<string, { used?: number; refused?: number }>()
    for (const use of this.behaviour.uses ?? []) {
      const at = this.happened(use)
      if (at === undefined) continue
      const known = last.get(use.op) ?? {}
      const granted = !use.needs || (this.granted.get(use.needs) ?? Number.POSITIVE_INFINITY) <= at
      last.set(use.op, granted ? { ...known, used: at } : { ...known, refused: at })
    }
    const ago = (at: number) => duration(this.#now() - at)
    const lines = [...last].map(
      ([op, { used, refused }]) =>
        `${op}: ${used === undefined ? 'ignore' : 'allow'}${used === undefined ? '' : `; time=${ago(used)} ago`}${refused === undefined ? '' : `; rejectTime=${ago(refused)} ago`}`,
    )
    return lines.length > 0 ? `Uid mode: COARSE_LOCATION: foreground\n${lines.join('\n')}\n` : 'No operations.\n'
  }

  /** What `dumpsys package` writes of it. */
  dump(): string {
    const { facts } = this
    const names = facts.permissions.map(({ name }) => name)
    const line = (name: string) =>
      `      ${name}: granted=${this.granted.has(name) || !DANGEROUS.test(name)}${DANGEROUS.test(name) ? ', flags=[ USER_SENSITIVE_WHEN_GRANTED]' : ''}`
    return [
      'Packages:',
      `  Package [${this.id}] (5a1c3f):`,
      `    userId=${this.uid}`,
      `    pkg=Package{9d2 ${this.id}}`,
      `    codePath=${this.path.replace('/base.apk', '')}`,
      `    versionCode=${facts.versionCode?.value ?? 1} minSdk=${facts.minSdk?.value ?? 1} targetSdk=${facts.effectiveTargetSdk}`,
      `    versionName=${facts.versionName?.value ?? 'null'}`,
      `    flags=[ ${this.debuggable ? 'DEBUGGABLE ' : ''}HAS_CODE ALLOW_CLEAR_USER_DATA ]`,
      '    requested permissions:',
      ...names.map((name) => `      ${name}`),
      '    install permissions:',
      ...names.filter((name) => !DANGEROUS.test(name)).map(line),
      '    User 0: ceDataInode=1 installed=true hidden=false',
      '      runtime permissions:',
      ...names.filter((name) => DANGEROUS.test(name)).map(line),
      '',
      'Queries:',
      '  system apps queryable: false',
      '',
    ].join('\n')
  }

  grant(permission: string): boolean {
    const known = this.facts.permissions.some(({ name }) => name === permission)
    if (known) this.granted.set(permission, this.#now())
    return known
  }

  /** Processes that run, by name. */
  processes(): [pid: number, name: string][] {
    if (this.startedAt === undefined) return []
    const names = [this.id, ...(this.behaviour.processes ?? []).map((suffix) => `${this.id}${suffix}`)]
    return names.map((name, index) => [this.pid + index, name])
  }

  /** Files that it has written by now. */
  files(): Map<string, SimulatedFile> {
    const files = new Map<string, SimulatedFile>()
    for (const file of this.behaviour.files ?? []) {
      const at = this.happened(file)
      if (at !== undefined)
        files.set(file.path, { content: Buffer.from(file.text), modified: at, mode: file.mode ?? '660' })
    }
    return files
  }

  /** Lines of the log that belong to it, with their times. */
  log(): { at: number; line: string }[] {
    const lines: { at: number; line: string }[] = []
    const add = (at: number, pid: number, level: string, tag: string, text: string) =>
      lines.push({
        at,
        line: `${stamp(at)} ${String(pid).padStart(5)} ${String(pid).padStart(5)} ${level} ${tag.padEnd(8)}: ${text}`,
      })
    if (this.startedAt !== undefined)
      add(
        this.startedAt,
        990,
        'I',
        'ActivityManager',
        `Start proc ${this.pid}:${this.id}/u0a${this.uid - 10_000} for top-activity`,
      )
    for (const one of this.behaviour.log ?? []) {
      const at = this.happened(one)
      if (at !== undefined) add(at, this.pid, one.level, one.tag, one.text)
    }
    for (const { activity, at, crashes } of this.opened.filter((one) => one.crashes)) {
      if (!crashes) continue
      const crash = [
        'FATAL EXCEPTION: main',
        `Process: ${this.id}, PID: ${this.pid}`,
        `java.lang.NullPointerException: Attempt to invoke virtual method 'android.os.Bundle.getString' on a null object reference`,
        `\tat ${activity}.onCreate(${activity.split('.').at(-1)}.java:41)`,
        '\tat android.app.Activity.performCreate(Activity.java:8595)',
      ]
      for (const text of crash) add(at + 40, this.pid, 'E', 'AndroidRuntime', text)
    }
    return lines
  }
}

/** As the system writes durations: `+1m2s345ms`. */
function duration(ms: number): string {
  if (ms <= 0) return '0'
  const [minutes, seconds, rest] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60, Math.floor(ms % 1000)]
  return `+${minutes > 0 ? `${minutes}m` : ''}${ms >= 1000 ? `${seconds}s` : ''}${rest}ms`
}

export const stamp = (at: number): string =>
  `${String(Math.floor(at / 1000)).padStart(19 - 4 - 4)}.${String(Math.floor(at % 1000)).padStart(3, '0')}`
