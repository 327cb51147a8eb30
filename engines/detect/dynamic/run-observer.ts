import type { Place } from '../../geo/place.ts'
import type {
  Destination,
  DynamicResult,
  Leak,
  Listening,
  Moment,
  SeenProcess,
  SeenUse,
  StartedActivity,
} from '../result/dynamic-result.ts'
import { findLeaks } from './find-leaks.ts'
import { IncidentReader } from './incident-reader.ts'
import { knownUse } from './known-uses.ts'
import { shown } from './phone-text.ts'
import { readLogLine } from './read-log.ts'
import { readProcesses } from './read-processes.ts'
import { isAny, isLocal, isLoopback, readSockets, type Socket } from './read-sockets.ts'
import { readUses } from './read-uses.ts'

/** The application as the phone knows it. */
export interface RunSubject {
  readonly id: string
  readonly uid: number
  /** When it was started, by the phone's clock, milliseconds since 1970. */
  readonly startedAt: number
}

/** What was asked of the phone at one moment; null where it did not answer. */
export interface Sample {
  readonly processes: string | null
  readonly tcp: string | null
  readonly udp: string | null
  readonly uses: string | null
  readonly top: string | null
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const MOST = { destinations: 1000, listening: 500, uses: 500, processes: 200, moments: 500, leaks: 500 }
/** Uses that the system remembers from before the start belong to an earlier run. */
const BEFORE_START_MS = 1500
const CLEARTEXT_PORTS = new Set([20, 21, 23, 25, 80, 110, 143, 1883, 5222, 8000, 8080, 8081, 8888])

/** Takes in what a phone says while an application runs, and keeps what it means: bounded, whatever the phone says. */
export class RunObserver {
  readonly #subject: RunSubject
  readonly #incidents: IncidentReader
  readonly #pids = new Set<number>()
  readonly #uses = new Map<string, Mutable<SeenUse>>()
  readonly #destinations = new Map<string, Mutable<Destination>>()
  readonly #listening = new Map<string, Listening>()
  readonly #processes = new Map<string, Mutable<SeenProcess>>()
  readonly #leaks = new Map<string, Leak>()
  readonly #hosts = new Map<string, string>()
  readonly #moments: Moment[] = [{ at: 0, kind: 'start', what: '' }]
  readonly #activities: StartedActivity[] = []
  readonly #opened: { name: string; at: number }[] = []
  #dialog = false
  #logLines = 0
  /** Sources that answered at least once. */
  readonly answered = new Set<keyof Sample | 'log'>()
  firstInput: number | null = null

  constructor(subject: RunSubject) {
    this.#subject = subject
    this.#incidents = new IncidentReader(subject.id)
  }

  /** @param at milliseconds since the start when the phone was asked */
  sample(at: number, sample: Sample): void {
    const beforeInput = this.firstInput === null
    const { uid } = this.#subject
    for (const [key, text] of Object.entries(sample)) if (text !== null) this.answered.add(key as keyof Sample)
    for (const { pid, name } of readProcesses(sample.processes ?? '', uid)) {
      this.#pids.add(pid)
      const process = this.#processes.get(name)
      if (process) process.last = at
      else if (this.#processes.size < MOST.processes)
        this.#processes.set(name, { name: shown(name, 300), first: at, last: at })
    }
    for (const [protocol, text] of [
      ['tcp', sample.tcp],
      ['udp', sample.udp],
    ] as const)
      for (const socket of readSockets(text ?? '', protocol, uid)) this.#socket(at, socket, beforeInput)
    this.#takeUses(at, sample.uses ?? '', beforeInput)
    this.#takeTop(at, sample.top)
  }

  #takeUses(at: number, text: string, beforeInput: boolean): void {
    for (const { op, usedAgo, refusedAgo } of readUses(text)) {
      const time = (ago: number | null) => (ago === null || at - ago < -BEFORE_START_MS ? null : Math.max(0, at - ago))
      const [used, refused] = [time(usedAgo), time(refusedAgo)]
      if (used === null && refused === null) continue
      const seen = this.#uses.get(op)
      if (seen) {
        if (seen.first === null && used !== null) seen.beforeInput = beforeInput
        seen.first = seen.first === null ? used : Math.min(seen.first, used ?? seen.first)
        seen.last = used ?? seen.last
        seen.refused = refused ?? seen.refused
      } else if (this.#uses.size < MOST.uses) {
        const { name, personal } = knownUse(op)
        this.#uses.set(op, {
          op,
          name,
          personal,
          first: used,
          last: used,
          refused,
          beforeInput: beforeInput && used !== null,
        })
      }
    }
  }

  #takeTop(at: number, text: string | null): void {
    const dialog = /Resumed[^\n]{0,200}\/[\w.$]{0,200}GrantPermissionsActivity\b/.test((text ?? '').slice(0, 20_000))
    if (dialog && !this.#dialog) this.#moment(at, 'permission_dialog', '')
    if (text !== null) this.#dialog = dialog
  }

  #socket(at: number, socket: Socket, beforeInput: boolean): void {
    const { protocol, localAddress, localPort, remoteAddress, remotePort } = socket
    if (socket.listens) {
      const key = `${protocol} ${localAddress} ${localPort}`
      if (!this.#listening.has(key) && this.#listening.size < MOST.listening)
        this.#listening.set(key, {
          protocol,
          address: localAddress,
          port: localPort,
          loopback: isLoopback(localAddress),
          first: at,
        })
      return
    }
    if (remotePort === 0 || isAny(remoteAddress)) return
    const key = `${protocol} ${remoteAddress} ${remotePort}`
    const known = this.#destinations.get(key)
    if (known) known.samples++
    else if (this.#destinations.size < MOST.destinations)
      this.#destinations.set(key, {
        protocol,
        address: remoteAddress,
        port: remotePort,
        host: null,
        country: '',
        where: isLocal(remoteAddress) ? 'local' : 'unknown',
        first: at,
        samples: 1,
        beforeInput,
        cleartext: CLEARTEXT_PORTS.has(remotePort),
      })
  }

  /** A line of the phone's log, of whatever process. */
  logLine(text: string): void {
    const line = readLogLine(text)
    if (!line || line.at < this.#subject.startedAt - BEFORE_START_MS) return
    this.answered.add('log')
    const at = Math.max(0, line.at - this.#subject.startedAt)
    if (line.tag === 'ActivityManager') {
      const started = /^Start proc (\d{1,10}):(\S{1,300}?)\/\S{1,40} for /.exec(line.text)
      const name = started?.[2] ?? ''
      if (started && (name === this.#subject.id || name.startsWith(`${this.#subject.id}:`)))
        this.#pids.add(Number(started[1]))
    }
    const own = this.#pids.has(line.pid)
    this.#incidents.read(line, at, own)
    if (!own) return
    this.#logLines++
    for (const [, host, address] of line.text.matchAll(
      /([a-z0-9][a-z0-9.-]{2,200}\.[a-z]{2,20})\/(\d{1,3}(?:\.\d{1,3}){3})\b/gi,
    ))
      if (this.#hosts.size < MOST.destinations) this.#hosts.set(address!, host!.toLowerCase())
    for (const leak of findLeaks(line.text))
      this.leak({ ...leak, source: 'log', where: shown(line.tag, 100), area: 'log', at })
  }

  leak(leak: Leak): void {
    const key = `${leak.kind} ${leak.value} ${leak.where}`
    if (!this.#leaks.has(key) && this.#leaks.size < MOST.leaks) this.#leaks.set(key, leak)
  }

  input(at: number): void {
    if (this.firstInput !== null) return
    this.firstInput = at
    this.#moment(at, 'first_input', '')
  }

  /** An activity is opened from outside; its crash is what follows until the next. */
  open(at: number, name: string): void {
    this.#opened.push({ name, at })
    this.#moment(at, 'activity', shown(name, 300))
  }

  opened(name: string, outcome: StartedActivity['outcome'], detail: string): void {
    this.#activities.push({ name, outcome, detail: shown(detail, 300) })
  }

  #moment(at: number, kind: Moment['kind'], what: string): void {
    if (this.#moments.length < MOST.moments) this.#moments.push({ at, kind, what })
  }

  /** What was seen, in order of time. @param placeOf of an address; null where there is no data to look in */
  seen(length: number, unplugged: boolean, placeOf: ((address: string) => Place) | null): Seen {
    const incidents = this.#incidents.incidents.map((one) => ({
      ...one,
      headline: one.headline || (one.lines[0] ?? ''),
      activity:
        one.kind === 'crash' || one.kind === 'native_crash'
          ? (this.#opened.findLast(
              ({ at }, index) => one.at >= at && one.at < (this.#opened[index + 1]?.at ?? at + 8000),
            )?.name ?? null)
          : null,
    }))
    const crashed = new Set(incidents.map(({ activity }) => activity))
    for (const { kind, at, headline } of incidents)
      if (kind !== 'strict_mode') this.#moment(Math.min(at, length), 'crash', headline)
    this.#moment(length, unplugged ? 'unplugged' : 'end', '')
    const byFirst = (a: { first: number | null }, b: { first: number | null }) => (a.first ?? 0) - (b.first ?? 0)
    return {
      moments: this.#moments.toSorted((a, b) => a.at - b.at),
      uses: [...this.#uses.values()].sort(byFirst),
      destinations: [...this.#destinations.values()].map((one) => this.#placed(one, placeOf)).sort(byFirst),
      listening: [...this.#listening.values()],
      incidents,
      leaks: [...this.#leaks.values()],
      processes: [...this.#processes.values()],
      activities: this.#activities.map((one) => (crashed.has(one.name) ? { ...one, outcome: 'crashed' } : one)),
      logLines: this.#logLines,
    }
  }

  #placed(one: Destination, placeOf: ((address: string) => Place) | null): Destination {
    const host = this.#hosts.get(one.address) ?? null
    if (one.where === 'local' || !placeOf) return { ...one, host }
    const { country } = placeOf(one.address)
    return { ...one, host, country, where: country === '' ? 'unknown' : country === 'CN' ? 'home' : 'abroad' }
  }
}

export type Seen = Pick<
  DynamicResult,
  'moments' | 'uses' | 'destinations' | 'listening' | 'incidents' | 'leaks' | 'processes' | 'activities'
> & { readonly logLines: number }
