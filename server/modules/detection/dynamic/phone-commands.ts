import { shown } from '#engines/detect/dynamic/phone-text.ts'
import { type FileLine, readFiles } from '#engines/detect/dynamic/read-files.ts'
import { type InstalledPackage, readPackageDump } from '#engines/detect/dynamic/read-package-dump.ts'
import type { Sample } from '#engines/detect/dynamic/run-observer.ts'
import type { PhoneFacts } from '#engines/detect/result/dynamic-result.ts'
import { AdbError } from '../../../platform/adb/adb-error.ts'
import type { AdbPhone, ShellBounds } from '../../../platform/adb/adb-phone.ts'

const QUICK_MS = 8000
const INSTALL_MS = 300_000
const DUMP_BYTES = 4 * 1024 * 1024
const SCREEN_BYTES = 12 * 1024 * 1024
/** The same inputs at every run. */
const SEED = '42'
const INPUT_EVERY_MS = 200
const STAT = ['-exec', 'stat', '-c', '%s %Y %a %n', '{}', '+']

/** Android package names, and class names below them: nothing else goes into a command. */
export const isPackageName = (id: string): boolean => id.length <= 255 && /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(id)
export const isClassName = (name: string): boolean => name.length <= 500 && /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/.test(name)

/** What is asked of a phone, as commands that every Android since 7 has. All throw AdbError where the phone goes away. */
export class PhoneCommands {
  readonly phone: AdbPhone
  readonly #signal: AbortSignal | undefined

  constructor(phone: AdbPhone, signal?: AbortSignal) {
    this.phone = phone
    this.#signal = signal
  }

  #bounds(ms: number, bytes?: number): ShellBounds {
    return { ms, ...(bytes !== undefined && { bytes }), ...(this.#signal && { signal: this.#signal }) }
  }

  /** Output of a command; null where it fails, says nothing or takes too long. Other troubles are thrown. */
  async #ask(words: readonly string[], bytes?: number, ms = QUICK_MS): Promise<string | null> {
    try {
      const { output } = await this.phone.shell(words, this.#bounds(ms, bytes))
      return output.length > 0 ? output.toString('utf8') : null
    } catch (error) {
      if (error instanceof AdbError && error.trouble === 'time' && !this.#signal?.aborted) return null
      throw error
    }
  }

  async #does(words: readonly string[], ms = QUICK_MS): Promise<boolean> {
    const { exit } = await this.phone.shell(words, this.#bounds(ms))
    return exit === 0
  }

  async facts(): Promise<PhoneFacts> {
    const property = async (name: string) => shown(((await this.#ask(['getprop', name])) ?? '').trim(), 100)
    const [model, maker, release, sdk] = await Promise.all([
      property('ro.product.model'),
      property('ro.product.manufacturer'),
      property('ro.build.version.release'),
      property('ro.build.version.sdk'),
    ])
    return { serial: this.phone.serial, model, maker, release, sdk: /^\d{1,4}$/.test(sdk) ? Number(sdk) : 0 }
  }

  /** Milliseconds since 1970 by the phone's clock. */
  async clock(): Promise<number> {
    const [, seconds, fraction = '0'] =
      /^(\d{9,11})(?:\.(\d{3})\d{0,6})?/.exec((await this.#ask(['date', '+%s.%N'])) ?? '') ?? []
    if (seconds === undefined) throw new AdbError('broken', 'the phone does not tell its time')
    return Number(seconds) * 1000 + Number(fraction)
  }

  async installed(id: string): Promise<InstalledPackage | undefined> {
    return readPackageDump((await this.#ask(['dumpsys', 'package', id], DUMP_BYTES)) ?? '', id)
  }

  /** SHA-256 of the installed package; null where it lies in several files or is not reported. */
  async installedDigest(id: string): Promise<string | null> {
    const paths = ((await this.#ask(['pm', 'path', id])) ?? '').trim().split('\n')
    const path = /^package:(\/[\w./=~+@-]{1,500})$/.exec(paths[0]?.trim() ?? '')?.[1]
    if (paths.length !== 1 || !path) return null
    return /^([0-9a-f]{64})\b/.exec((await this.#ask(['sha256sum', path], undefined, 60_000)) ?? '')?.[1] ?? null
  }

  /** Installs a package of `size` bytes; null, or why the phone refuses it. */
  async install(
    size: number,
    bytes: AsyncIterable<Uint8Array>,
    onSent: (bytes: number) => void,
  ): Promise<string | null> {
    const words = ['cmd', 'package', 'install', '-t', '-S', String(size)]
    const answer = (await this.phone.feed(words, bytes, this.#bounds(INSTALL_MS), onSent)).trim()
    return /^Success\b/m.test(answer) ? null : shown(answer || 'no answer', 500)
  }

  async uninstall(id: string): Promise<boolean> {
    return this.#does(['pm', 'uninstall', id], 60_000)
  }

  /** A mark on the phone that a package is there because of us: the rest of an interrupted run is recognised by it. */
  async mark(id: string): Promise<void> {
    await this.#does(['touch', markOf(id)])
  }
  isMarked(id: string): Promise<boolean> {
    return this.#does(['ls', markOf(id)])
  }
  async unmark(id: string): Promise<void> {
    await this.#does(['rm', '-f', markOf(id)])
  }

  async wake(): Promise<void> {
    await this.#does(['input', 'keyevent', 'KEYCODE_WAKEUP'])
    await this.#does(['wm', 'dismiss-keyguard'])
  }

  /** Opens an activity; null, or why not. */
  async open(id: string, activity: string): Promise<string | null> {
    const text = (await this.#ask(['am', 'start', '-W', '-n', `${id}/${activity}`], undefined, 20_000)) ?? ''
    if (/^Status: (?:ok|timeout)/m.test(text)) return null
    return shown(/^(?:Error|Exception|java\.)[^\n]{0,300}/m.exec(text)?.[0] ?? 'no answer', 300)
  }

  /** Random inputs for about so long; answers how many were made. */
  async inputs(id: string, seconds: number): Promise<number> {
    const count = Math.max(1, Math.round((seconds * 1000) / INPUT_EVERY_MS))
    const fixed = ['--throttle', String(INPUT_EVERY_MS), '--pct-syskeys', '0', '--ignore-crashes', '--ignore-timeouts']
    const more = ['--ignore-security-exceptions', '--monitor-native-crashes']
    const text = await this.#ask(
      ['monkey', '-p', id, '-s', SEED, ...fixed, ...more, String(count)],
      undefined,
      (seconds + 20) * 1000,
    )
    return Math.min(count, Number(/Events injected: (\d{1,7})/.exec(text ?? '')?.[1] ?? 0))
  }

  async grant(id: string, permission: string): Promise<boolean> {
    return this.#does(['pm', 'grant', id, permission])
  }

  /** Ends the application, and inputs that may still be made: they would start it again. */
  async stop(id: string): Promise<void> {
    await this.#does(['pkill', '-9', '-f', 'com.android.commands.monkey'])
    await this.#does(['am', 'force-stop', id])
  }

  /** What is asked again and again while it runs. Throws where nothing answers any more. */
  async sample(id: string): Promise<Sample> {
    const resumed = 'dumpsys activity activities | grep -E "ResumedActivity" | head -n 6'
    const asked = await Promise.allSettled([
      this.#ask(['ps', '-A', '-n', '-o', 'UID,PID,NAME']),
      this.#ask(['cat', '/proc/net/tcp', '/proc/net/tcp6']),
      this.#ask(['cat', '/proc/net/udp', '/proc/net/udp6']),
      this.#ask(['cmd', 'appops', 'get', id]),
      this.#ask(['sh', '-c', resumed]),
    ])
    const lost = asked.find((one) => one.status === 'rejected')
    if (lost && asked.every((one) => one.status === 'rejected')) throw lost.reason as Error
    const [processes, tcp, udp, uses, top] = asked.map((one) => (one.status === 'fulfilled' ? one.value : null))
    return {
      processes: processes ?? null,
      tcp: tcp ?? null,
      udp: udp ?? null,
      uses: uses === undefined || uses === null ? null : /^Error|^Exception/m.test(uses) ? null : uses,
      top: top ?? null,
    }
  }

  screenshot(): Promise<Buffer | null> {
    return this.phone.raw(['screencap', '-p'], { ...this.#bounds(15_000), bytes: SCREEN_BYTES })
  }

  /** Files of shared storage; null where it cannot be listed. */
  async sharedFiles(id: string): Promise<Map<string, FileLine> | null> {
    const all = await this.#ask(
      ['find', '/sdcard/', '-path', '/sdcard/Android', '-prune', '-o', '-type', 'f', ...STAT],
      DUMP_BYTES,
      30_000,
    )
    const own = await this.#ask(
      ['find', `/sdcard/Android/data/${id}/`, `/sdcard/Android/media/${id}/`, '-type', 'f', ...STAT],
      DUMP_BYTES,
      30_000,
    )
    const listable = all !== null || (await this.#does(['ls', '/sdcard/']))
    return listable ? new Map([...readFiles(all ?? ''), ...readFiles(own ?? '')]) : null
  }

  /** Private files of a debuggable application; null where the phone does not let us see them. */
  async privateFiles(id: string): Promise<Map<string, FileLine> | null> {
    const text = await this.#ask(['run-as', id, 'find', '.', '-type', 'f', ...STAT], DUMP_BYTES, 30_000)
    if (text !== null) return readFiles(text)
    return (await this.#does(['run-as', id, 'ls', '.'])) ? new Map() : null
  }

  /** The begin of a file as text; null if it is not text. */
  async fileText(path: string, runAs: string | null): Promise<string | null> {
    const text = await this.#ask([...(runAs === null ? [] : ['run-as', runAs]), 'head', '-c', '65536', path])
    return text === null || text.includes('\0') ? null : text
  }

  /** Follows the log from a moment of the phone's clock on until `signal`; hands over whole lines. */
  async followLog(from: number, ms: number, most: number, onLine: (line: string) => void): Promise<void> {
    let rest = ''
    let size = 0
    const decoder = new TextDecoder()
    const since = `${Math.floor(from / 1000)}.000`
    const words = ['logcat', '-b', 'main', '-b', 'system', '-b', 'crash', '-v', 'epoch', '-T', since]
    await this.phone.follow(words, this.#bounds(ms), (part) => {
      size += part.length
      rest += decoder.decode(part, { stream: true })
      const lines = rest.split('\n')
      rest = (lines.pop() ?? '').slice(0, 8192)
      for (const line of lines) onLine(line)
      return size < most
    })
  }
}

const markOf = (id: string): string => `/data/local/tmp/.appwarden.${id}`
