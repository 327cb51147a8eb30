import type { Incident } from '../result/dynamic-result.ts'
import { shown } from './phone-text.ts'
import type { LogLine } from './read-log.ts'

const MOST_INCIDENTS = 200
const MOST_LINES = 40

type Open = { -readonly [Key in keyof Incident]: Key extends 'lines' ? string[] : Incident[Key] }

/** Finds crashes, applications that do not answer, and StrictMode's complaints in a log, each with the lines that belong to it. */
export class IncidentReader {
  readonly #id: string
  /** By process and tag of the line: what its next lines belong to. */
  readonly #open = new Map<string, Open>()
  readonly incidents: Open[] = []

  constructor(id: string) {
    this.#id = id
  }

  /** @param own the line was written by a process of the application */
  read(line: LogLine, at: number, own: boolean): void {
    const key = `${line.pid} ${line.tag}`
    const begun = this.#begin(line, own)
    if (begun) {
      this.#open.delete(key)
      if (this.incidents.length >= MOST_INCIDENTS) return
      const incident: Open = { ...begun, at, lines: [shown(line.text, 500)], activity: null }
      this.incidents.push(incident)
      this.#open.set(key, incident)
      return
    }
    const incident = this.#open.get(key)
    if (!incident) return
    if (incident.kind === 'not_responding' && !/^\s{0,20}(?:PID|Reason|Parent|ErrorId|Frozen|Load):/.test(line.text)) {
      this.#open.delete(key)
      return
    }
    if (incident.lines.length < MOST_LINES) incident.lines.push(shown(line.text, 500))
    if (incident.kind === 'crash') {
      const process = /^Process: (\S{1,300}), PID/.exec(line.text)?.[1]
      if (process) incident.process = shown(process)
      else if (incident.headline === '' && !/^\s{0,8}at /.test(line.text)) incident.headline = shown(line.text, 300)
    }
    if (incident.kind === 'native_crash' && /^signal \d/.test(line.text)) incident.headline = shown(line.text, 300)
    if (incident.kind === 'not_responding') {
      const reason = /^\s{0,20}Reason: (.{1,300})/.exec(line.text)?.[1]
      if (reason) incident.headline = shown(reason, 300)
    }
  }

  #begin({ tag, level, text }: LogLine, own: boolean): Pick<Open, 'kind' | 'process' | 'headline'> | undefined {
    if (own && tag === 'AndroidRuntime' && level === 'E' && text.startsWith('FATAL EXCEPTION'))
      return { kind: 'crash', process: this.#id, headline: '' }
    if (own && tag === 'StrictMode' && text.startsWith('StrictMode policy violation'))
      return {
        kind: 'strict_mode',
        process: this.#id,
        headline: shown(text.replace(/; ~duration=\d+ ms:/, ':'), 300),
      }
    if (tag === 'DEBUG') {
      const process = /^pid: \d{1,10}, tid: \d{1,10}, name: .{0,100}?>>> (\S{1,300}) <<</.exec(text)?.[1]
      if (process && this.#isOurs(process)) return { kind: 'native_crash', process: shown(process), headline: '' }
    }
    if (tag === 'ActivityManager' && text.startsWith('ANR in ')) {
      const process = /^ANR in (\S{1,300})/.exec(text)?.[1]
      if (process && this.#isOurs(process)) return { kind: 'not_responding', process: shown(process), headline: '' }
    }
    return undefined
  }

  #isOurs(process: string): boolean {
    return process === this.#id || process.startsWith(`${this.#id}:`)
  }
}
