/** In both languages; the one of scan-result.ts, which reads this file. */
interface Text {
  readonly zh: string
  readonly en: string
}

/** What was seen of an application while it ran on a phone. Times are milliseconds since its start. */
export interface DynamicResult {
  readonly phone: PhoneFacts
  readonly run: RunFacts
  /** Moments worth showing in order: start, first input, permission dialogs, crashes, the end. */
  readonly moments: readonly Moment[]
  readonly permissions: readonly SeenPermission[]
  readonly uses: readonly SeenUse[]
  readonly destinations: readonly Destination[]
  readonly listening: readonly Listening[]
  readonly incidents: readonly Incident[]
  readonly leaks: readonly Leak[]
  readonly files: readonly SeenFile[]
  readonly processes: readonly SeenProcess[]
  readonly activities: readonly StartedActivity[]
  readonly screenshots: readonly Screenshot[]
}

export interface PhoneFacts {
  readonly serial: string
  readonly model: string
  readonly maker: string
  /** Android version and API level. */
  readonly release: string
  readonly sdk: number
}

export interface RunFacts {
  /** Every step was done and every source was read. */
  readonly complete: boolean
  /** fresh: installed for this run and removed after it. present: the same package was there and stays. */
  readonly install: 'fresh' | 'present'
  /** The phone is as it was before; false where it went away before it could be tidied. */
  readonly tidied: boolean
  /** When the first input was made; null where the run ended before. No one can have agreed to anything earlier. */
  readonly firstInput: number | null
  readonly length: number
  /** Random inputs that were made, always by the same seed. */
  readonly inputs: number
  readonly logLines: number
  /** Private files could be read: the application is debuggable. */
  readonly privateFiles: boolean
}

export interface Moment {
  readonly at: number
  readonly kind: 'start' | 'permission_dialog' | 'first_input' | 'activity' | 'crash' | 'unplugged' | 'end'
  readonly what: string
}

export interface SeenPermission {
  readonly name: string
  /** Granted after the start and before the first input, and at the end. */
  readonly before: boolean | null
  readonly after: boolean | null
  /** Granted by the examination at the first input, so that functions behind it run. */
  readonly byUs: boolean
}

export interface SeenUse {
  /** Name that the system keeps the use under. */
  readonly op: string
  readonly name: Text
  /** Personal information is reached by it. */
  readonly personal: boolean
  /** First and last time the system recorded; null where it was only refused. */
  readonly first: number | null
  readonly last: number | null
  readonly refused: number | null
  readonly beforeInput: boolean
}

export interface Destination {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  /** Hosts of this address that the application's log names. */
  readonly host: string | null
  /** ISO 3166-1 alpha-2; '' where unknown. */
  readonly country: string
  /** local: this phone or a private network; home: China; abroad; unknown. */
  readonly where: 'local' | 'home' | 'abroad' | 'unknown'
  readonly first: number
  readonly samples: number
  readonly beforeInput: boolean
  /** The port's usual protocol is not encrypted. */
  readonly cleartext: boolean
}

export interface Listening {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  /** Reached from this phone alone. */
  readonly loopback: boolean
  readonly first: number
}

export interface Incident {
  readonly kind: 'crash' | 'native_crash' | 'not_responding' | 'strict_mode'
  readonly at: number
  readonly process: string
  readonly headline: string
  readonly lines: readonly string[]
  /** The activity that was opened from outside just before. */
  readonly activity: string | null
}

export interface Leak {
  readonly source: 'log' | 'file'
  readonly kind: string
  readonly name: Text
  /** Tag of the log line, or path of the file. */
  readonly where: string
  readonly area: 'log' | 'private' | 'app_external' | 'shared'
  /** The value with its middle hidden, and the line around it likewise. */
  readonly value: string
  readonly line: string
  readonly at: number | null
}

export interface SeenFile {
  readonly path: string
  /** private: of the application alone. app_external: its folder on shared storage. shared: storage that others write to as well. */
  readonly area: 'private' | 'app_external' | 'shared'
  readonly change: 'new' | 'changed'
  readonly size: number
  /** Permission bits, octal. */
  readonly mode: string
}

export interface SeenProcess {
  readonly name: string
  readonly first: number
  readonly last: number
}

export interface StartedActivity {
  readonly name: string
  readonly outcome: 'opened' | 'crashed' | 'refused'
  readonly detail: string
}

export interface Screenshot {
  /** SHA-256: its name in the file store. */
  readonly file: string
  readonly at: number
  readonly width: number
  readonly height: number
  readonly when: 'untouched' | 'exercise' | 'end'
}
