import type { Behaviour } from './behaviour.ts'
import { InstalledApp, type SimulatedFile, stamp } from './installed-app.ts'
import { screenPng } from './screen.ts'
import { globbed, words } from './shell-words.ts'

export type PhoneOptions = {
  serial?: string
  model?: string
  /** By package name. */
  behaviours?: Readonly<Record<string, Behaviour>>
  now?: () => number
}
export type Answer = { exit: number; out: string | Buffer; err?: string }

const say = (out: string | Buffer, exit = 0): Answer => ({ exit, out })
const fail = (err: string, exit = 1): Answer => ({ exit, out: '', err })

/** A phone as its shell shows it: what is installed, started, granted, written. Knows the commands that an examination needs. */
export class SimulatedPhone {
  readonly serial: string
  readonly model: string
  readonly now: () => number
  readonly apps = new Map<string, InstalledApp>()
  /** Every command, in order. */
  readonly asked: string[] = []
  readonly shared = new Map<string, SimulatedFile>()
  readonly #behaviours: Readonly<Record<string, Behaviour>>
  #installs = 0
  /** Unplugged: it answers nothing any more. */
  gone = false

  constructor({
    serial = 'simulated-1',
    model = 'Simulated phone',
    behaviours = {},
    now = Date.now,
  }: PhoneOptions = {}) {
    this.serial = serial
    this.model = model
    this.now = now
    this.#behaviours = behaviours
    this.shared.set('/sdcard/DCIM/Camera/IMG_0001.jpg', {
      content: Buffer.alloc(900),
      modified: now() - 86_400_000,
      mode: '660',
    })
  }

  /** What the package installer says. */
  install(bytes: Uint8Array): Answer {
    let app: InstalledApp
    try {
      app = new InstalledApp(bytes, ++this.#installs, this.#behaviours, this.now)
    } catch (error) {
      return fail(`Failure [INSTALL_PARSE_FAILED_NOT_APK: ${(error as Error).message}]\n`)
    }
    if (app.id === '') return fail('Failure [INSTALL_PARSE_FAILED_MANIFEST_MALFORMED]\n')
    if (app.behaviour.refuse) return fail(`Failure [${app.behaviour.refuse}]\n`)
    this.apps.set(app.id, app)
    return say('Success\n')
  }

  /** Runs one command line; undefined where it follows something and `logcat` answers instead. */
  run(line: string): Answer {
    this.asked.push(line)
    const [name = '', ...args] = words(line)
    const command = COMMANDS[name]
    return command ? command(this, args) : fail(`/system/bin/sh: ${name}: inaccessible or not found\n`, 127)
  }

  /** Lines of the log from a time on, in order. */
  logSince(from: number): { at: number; line: string }[] {
    const system = [
      { at: this.now() - 1000, line: `${stamp(this.now() - 1000)}   990   990 I SystemServer: simulated` },
    ]
    return [...system, ...[...this.apps.values()].flatMap((app) => app.log())]
      .filter(({ at }) => at >= from)
      .sort((a, b) => a.at - b.at)
  }

  /** Files of shared storage with what applications have written there. */
  sharedFiles(): Map<string, SimulatedFile> {
    const all = new Map(this.shared)
    for (const app of this.apps.values())
      for (const [path, file] of app.files()) if (path.startsWith('/')) all.set(path, file)
    return all
  }

  app(id: string | undefined): InstalledApp | undefined {
    return this.apps.get(id ?? '')
  }
}

type Command = (phone: SimulatedPhone, args: string[]) => Answer

const PROPERTIES: Readonly<Record<string, string>> = {
  'ro.product.manufacturer': 'Simulated',
  'ro.build.version.release': '14',
  'ro.build.version.sdk': '34',
  'ro.boot.verifiedbootstate': 'green',
  'ro.build.type': 'user',
}

const SERVICES: Readonly<Record<string, string>> = {
  battery: 'Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  level: 84\n',
  power: 'POWER MANAGER (dumpsys power)\n  mWakefulness=Awake\n',
  trust: 'Trust manager state:\n User "Owner" (id=0, flags=0x4c13): trusted=0, trustManaged=0, deviceLocked=0\n',
}

const COMMANDS: Readonly<Record<string, Command>> = {
  echo: (_, args) => say(`${args.join(' ')}\n`),
  getprop: (phone, [name = '']) => say(`${name === 'ro.product.model' ? phone.model : (PROPERTIES[name] ?? '')}\n`),
  date: (phone) => say(`${Math.floor(phone.now() / 1000)}.${String(phone.now() % 1000).padStart(3, '0')}000000\n`),
  dumpsys: (phone, [service, id]) =>
    say(service === 'package' ? (phone.app(id)?.dump() ?? 'Packages:\n') : (SERVICES[service ?? ''] ?? '')),
  pm: packageManager,
  cmd: (phone, [service, ...args]) =>
    service === 'appops'
      ? say(phone.app(args[1])?.uses() ?? (args[1] === 'android' ? 'No operations.\n' : 'Error: Unknown package\n'))
      : service === 'package'
        ? packageManager(phone, args)
        : fail('cmd: unknown service\n', 20),
  sha256sum: (phone, [path]) => {
    const app = [...phone.apps.values()].find((one) => one.path === path)
    return app ? say(`${app.sha256}  ${path}\n`) : fail(`sha256sum: ${path}: No such file or directory\n`)
  },
  touch: (phone, [path = '']) => {
    phone.shared.set(path, { content: Buffer.alloc(0), modified: phone.now(), mode: '660' })
    return say('')
  },
  ls: (phone, [path = '']) =>
    path === '/sdcard/' || phone.shared.has(path) ? say(`${path}\n`) : fail(`ls: ${path}: No such file or directory\n`),
  rm: (phone, args) => {
    phone.shared.delete(args.at(-1) ?? '')
    return say('')
  },
  df: () =>
    say('Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/dm-9 115249236 40123456 75125780 35% /data\n'),
  which: () => fail('', 1),
  input: () => say(''),
  wm: () => say(''),
  am: activityManager,
  monkey: (phone, args) => {
    const app = phone.app(args[args.indexOf('-p') + 1])
    if (!app) return fail('** No activities found to run, monkey aborted.\n', 252)
    app.startedAt ??= phone.now()
    app.inputAt ??= phone.now()
    return say(`Events injected: ${args.at(-1)}\n## Network stats: elapsed time=1ms\n`)
  },
  ps: (phone) => {
    const rows = [...phone.apps.values()].flatMap((app) =>
      app.processes().map(([pid, name]) => `${app.uid} ${pid} ${name}`),
    )
    return say(`  UID   PID NAME\n    0     1 init\n 1000   990 system_server\n${rows.join('\n')}\n`)
  },
  cat: (phone, paths) => say(paths.map((path) => procNet(phone, path)).join('')),
  sh: (phone, [, script = '']) =>
    script.startsWith('dumpsys activity') ? say(resumed(phone)) : fail('sh: not simulated\n', 127),
  screencap: (phone) =>
    say(screenPng([...phone.apps.values()].reduce((sum, app) => sum + app.opened.length + (app.inputAt ? 7 : 0), 1))),
  find: (phone, args) => say(globbed(phone.sharedFiles(), args)),
  head: (phone, args) => {
    const file = phone.sharedFiles().get(args.at(-1) ?? '')
    return file ? say(file.content.subarray(0, Number(args[1]))) : fail('head: No such file or directory\n')
  },
  'run-as': (phone, [id, ...rest]) => {
    const app = phone.app(id)
    if (!app) return fail(`run-as: unknown package: ${id}\n`)
    if (!app.debuggable) return fail(`run-as: package not debuggable: ${id}\n`)
    const files = new Map([...app.files()].filter(([path]) => path.startsWith('.')))
    if (rest[0] === 'find') return say(globbed(files, rest.slice(1)))
    if (rest[0] === 'ls') return say('files\n')
    const file = files.get(rest.at(-1) ?? '')
    return rest[0] === 'head' && file ? say(file.content.subarray(0, Number(rest[2]))) : fail('run-as: exec failed\n')
  },
}

function packageManager(phone: SimulatedPhone, [verb, ...args]: string[]): Answer {
  const app = phone.app(args.at(-1))
  if (verb === 'list') return say([...phone.apps.keys()].map((id) => `package:${id}\n`).join(''))
  if (verb === 'path' && args[0] === 'android') return say('package:/system/framework/framework-res.apk\n')
  if (verb === 'path') return app ? say(`package:${app.path}\n`) : fail('')
  if (verb === 'uninstall')
    return phone.apps.delete(args.at(-1) ?? '') ? say('Success\n') : fail('Failure [DELETE_FAILED_INTERNAL_ERROR]\n')
  if (verb === 'grant') {
    const granted = phone.app(args[0])?.grant(args[1] ?? '') ?? false
    return granted ? say('') : fail('Exception occurred while executing grant:\n', 255)
  }
  return fail(`Unknown command: ${verb}\n`)
}

function activityManager(phone: SimulatedPhone, args: string[]): Answer {
  if (args[0] === 'force-stop') {
    const app = phone.app(args[1])
    if (app) app.startedAt = undefined
    return say('')
  }
  const [id, activity = ''] = (args.at(-1) ?? '').split('/')
  const app = phone.app(id)
  if (args[0] !== 'start' || !app?.activities.includes(activity))
    return say(
      `Starting: Intent { cmp=${id}/${activity} }\nError type 3\nError: Activity class {${id}/${activity}} does not exist.\n`,
    )
  const outside = app.startedAt !== undefined
  app.startedAt ??= phone.now()
  app.opened.push({ activity, at: phone.now(), crashes: outside && (app.behaviour.crashes ?? []).includes(activity) })
  return say(
    `Starting: Intent { cmp=${id}/${activity} }\nStatus: ok\nLaunchState: COLD\nActivity: ${id}/${activity}\nTotalTime: 211\nComplete\n`,
  )
}

function resumed(phone: SimulatedPhone): string {
  for (const app of phone.apps.values()) {
    const { dialog } = app.behaviour
    const since = dialog && app.happened(dialog)
    if (since !== undefined && dialog && phone.now() < since + dialog.for)
      return '  topResumedActivity=ActivityRecord{1f u0 com.android.permissioncontroller/.permission.ui.GrantPermissionsActivity t9}\n'
    const front = app.opened.at(-1)
    if (front) return `  topResumedActivity=ActivityRecord{1f u0 ${app.id}/${front.activity} t9}\n`
  }
  return '  topResumedActivity=ActivityRecord{1f u0 com.android.launcher3/.Launcher t1}\n'
}

/** The kernel's tables: addresses of four bytes stand in the tables of IPv6 where an application connects, as on a real phone. */
function procNet(phone: SimulatedPhone, path: string): string {
  const [, protocol = '', six] = /^\/proc\/net\/(tcp|udp)(6?)$/.exec(path) ?? []
  if (protocol === '') return ''
  const rows: string[] = []
  const row = (local: string, remote: string, state: string, uid: number) =>
    rows.push(
      `${String(rows.length).padStart(4)}: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 ${9000 + rows.length} 1`,
    )
  const word = (address: string) =>
    address
      .split('.')
      .reverse()
      .map((one) => Number(one).toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()
  const hex = (port: number) => port.toString(16).padStart(4, '0').toUpperCase()
  for (const app of phone.apps.values()) {
    if (app.startedAt === undefined) continue
    const mapped = `0000000000000000FFFF0000`
    for (const [index, one] of (app.behaviour.sockets ?? []).entries()) {
      const isSix = one.protocol === 'tcp'
      if (one.protocol !== protocol || isSix !== (six === '6') || app.happened(one) === undefined) continue
      const prefix = isSix ? mapped : ''
      row(
        `${prefix}${word('192.168.1.20')}:${hex(40_000 + index)}`,
        `${prefix}${word(one.address)}:${hex(one.port)}`,
        '01',
        app.uid,
      )
    }
    for (const one of app.behaviour.listens ?? [])
      if (protocol === 'tcp' && six === '' && app.happened(one) !== undefined)
        row(`${word(one.address)}:${hex(one.port)}`, '00000000:0000', '0A', app.uid)
  }
  return `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n${rows.join('\n')}\n`
}
