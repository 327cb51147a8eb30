import type { Program, Value } from '../../dex/program.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { type CordovaConfig, cordovaConfig, isInPackage } from './cordova-config.ts'
import { hasLinks, isCordovaItself, isUnreadable, runsByItself, speaksToPlugins, wordsOf } from './cordova-scripts.ts'
import { dotted } from './locations.ts'

const PLUGIN_LIST = 'assets/www/cordova_plugins.js'
/** What cannot hold a script. */
const NO_SCRIPT = /\.(?:png|jpe?g|gif|webp|ico|css|scss|less|ttf|otf|woff2?|eot|mp[34]|ogg|wav|m4a|webm|aac)$/i
const CORDOVA_SCRIPT = /^assets\/www\/cordova(?:[.-][\w.-]+)?\.js$/
/** With more or larger scripts than these, or a larger list, the answer is that they may call everything. */
const MOST_SCRIPTS = 500
const MOST_BYTES = 16 * 2 ** 20
const MOST_LIST_BYTES = 2 ** 20
/** What every plug-in extends. */
export const PLUGIN_CLASSES = ['Lorg/apache/cordova/CordovaPlugin;', 'Lorg/apache/cordova/api/CordovaPlugin;']

/** Of Cordova itself: it looks for the class of the build's constants alone. */
const CORE = /^Lorg\/apache\/cordova\/[^/]+;$/

/** Does a plug-in look for a class by a name that is no constant? A page, also one of a server, may then say it. */
export const pluginsTakeNames = (program: Program): boolean =>
  ['Ljava/lang/Class;->forName(', 'Ljava/lang/ClassLoader;->loadClass(']
    .flatMap((name) => program.callsTo(name))
    .some(
      (call) =>
        PLUGIN_CLASSES.some((one) => program.isA(call.method.owner, one)) &&
        !CORE.test(call.method.owner) &&
        program.argument(call, 1).kind !== 'string',
    )

/** Cordova itself. */
const CORDOVA = 'org.apache.cordova.'
/** It takes the identifier of the device for scripts as soon as Cordova is ready, and does nothing with it. */
const DEVICE = 'org.apache.cordova.device.'
/** Code that shows pages of its own, without Cordova's way to plug-ins. */
const OTHER_PAGES = /^L(?:com\/google\/android\/gms|androidx|android\/support)\//

const known = new WeakMap<Program, CordovaPlugins | null>()

/**
 * Is it code of a Cordova plug-in that no script of the package calls? The Android code of a plug-in runs when a script names its
 * JavaScript object (`clobbers` and `merges` of cordova_plugins.js) or its service. Where scripts come from elsewhere, compute names or
 * cannot be read, the answer is no.
 */
export const isUncalledPlugin = (inspected: InspectedPackage, descriptor: string): boolean =>
  pluginsOf(inspected)?.isUncalled(descriptor, false) ?? false

/** The same, where the plug-in for the name and the identifier of the device, which runs by itself, does not count as called. */
export const isUnaskedPlugin = (inspected: InspectedPackage, descriptor: string): boolean =>
  pluginsOf(inspected)?.isUncalled(descriptor, true) ?? false

/**
 * Do the scripts of the package, all of which were read, use the text? Undefined where they could not be read, and where they may reach any
 * server.
 */
export function cordovaScriptsUse(inspected: InspectedPackage, pattern: RegExp): boolean | undefined {
  const plugins = pluginsOf(inspected)
  return plugins && !plugins.isOpen ? plugins.scriptsUse(pattern) : undefined
}

function pluginsOf(inspected: InspectedPackage): CordovaPlugins | null {
  const { program } = inspected
  if (!program) return null
  const before = known.get(program)
  if (before !== undefined) return before
  const plugins = readPlugins(inspected, program)
  known.set(program, plugins)
  return plugins
}

interface Scripts {
  /** Of the application. */
  readonly own: readonly string[]
  /** Those, and Cordova's. */
  readonly all: readonly string[]
  /** Folder below `plugins/` -> its scripts. */
  readonly folders: ReadonlyMap<string, readonly string[]>
}

function readPlugins(inspected: InspectedPackage, program: Program): CordovaPlugins | null {
  const { read, codeGap, packer } = inspected
  const config = cordovaConfig(inspected)
  const list = read(PLUGIN_LIST)
  if (!config || !list || list.length > MOST_LIST_BYTES || codeGap || packer) return null
  if (!PLUGIN_CLASSES.some((one) => program.classOf(one)) || loadsOtherPages(program)) return null
  const names = namesOf(Buffer.from(list).toString('latin1'))
  const scripts = names && readScripts(inspected, config.isOpen)
  return scripts ? new CordovaPlugins(inspected, program, config, scripts, names) : null
}

/** Does code, beside Cordova's own, load a page that is not a constant of the package or the one that Cordova begins with? */
function loadsOtherPages(program: Program): boolean {
  const isKnown = (value: Value): boolean =>
    (value.kind === 'string' && isInPackage(value.value)) ||
    (value.kind === 'field' && value.field.endsWith(';->launchUrl:Ljava/lang/String;')) ||
    (value.kind === 'call' && value.callee === 'Lorg/apache/cordova/Config;->getStartUrl()Ljava/lang/String;')
  return program
    .callsTo('L*;->loadUrl(')
    .some(
      (call) =>
        !call.method.owner.startsWith('Lorg/apache/cordova/') &&
        !OTHER_PAGES.test(call.method.owner) &&
        !program.possibleArguments(call, 1).every(isKnown),
    )
}

function readScripts({ entries, read }: InspectedPackage, isOpen: boolean): Scripts | null {
  const files = entries.filter(
    ({ name }) => name.startsWith('assets/') && name !== PLUGIN_LIST && !NO_SCRIPT.test(name),
  )
  if (files.length > MOST_SCRIPTS || files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return null
  const own: string[] = []
  const all: string[] = []
  const folders = new Map<string, string[]>()
  for (const { name } of files) {
    const bytes = read(name)
    if (!bytes) return null
    const content = Buffer.from(bytes).toString('latin1')
    if (CORDOVA_SCRIPT.test(name) && isCordovaItself(content)) {
      all.push(content)
      continue
    }
    if (isUnreadable(content)) return null
    const folder = /^assets\/www\/(plugins\/[^/]+)\//.exec(name)?.[1]
    if (folder) folders.set(folder, [...(folders.get(folder) ?? []), content])
    else if (speaksToPlugins(content) || (isOpen && hasLinks(content))) return null
    else {
      own.push(content)
      all.push(content)
    }
  }
  return own.length ? { own, all, folders } : null
}

class CordovaPlugins {
  readonly isOpen: boolean
  private readonly program: Program
  private readonly config: CordovaConfig
  private readonly scripts: Scripts
  private readonly names: Names
  /** Classes that Android makes by their names. */
  private readonly made: readonly string[]
  /** Words of names -> folders of scripts that say them, '' for all outside of plug-ins. */
  private readonly sayers: ReadonlyMap<string, ReadonlySet<string>>
  private readonly answers = new Map<string, boolean>()

  constructor({ facts }: InspectedPackage, program: Program, config: CordovaConfig, scripts: Scripts, names: Names) {
    this.program = program
    this.config = config
    this.isOpen = config.isOpen
    this.scripts = scripts
    this.names = names
    this.made = [
      facts?.applicationClass?.value,
      ...(facts?.components ?? []).flatMap(({ name, targetActivity }) => [name, targetActivity]),
    ].filter((name) => name !== undefined && name !== null)
    this.sayers = sayersOf(scripts, names)
  }

  scriptsUse(pattern: RegExp): boolean {
    return this.scripts.own.some((script) => pattern.test(script))
  }

  isUncalled(descriptor: string, exceptDevice: boolean): boolean {
    const prefix = packageOf(dotted(descriptor))
    const key = `${prefix} ${exceptDevice}`
    const before = this.answers.get(key)
    if (before !== undefined) return before
    // Plug-ins that use each other count as called.
    this.answers.set(key, false)
    const answer = this.decide(prefix, exceptDevice)
    this.answers.set(key, answer)
    return answer
  }

  private decide(prefix: string, exceptDevice: boolean): boolean {
    const own = this.config.plugins.filter((plugin) => plugin.prefix === prefix)
    if (!own.length || prefix === CORDOVA || own.some(({ atStart }) => atStart)) return false
    if (this.made.some((name) => name.startsWith(prefix))) return false
    const asks = (content: string) => own.some(({ service }) => isQuoted(content, service))
    const folders = new Set([...this.scripts.folders].flatMap(([name, contents]) => (contents.some(asks) ? name : [])))
    if (!folders.size || this.scripts.all.some(asks)) return false
    const mayRun = exceptDevice && prefix === DEVICE
    for (const folder of folders) {
      if (!mayRun && this.scripts.folders.get(folder)!.some(runsByItself)) return false
      const names = this.names.get(folder)
      if (!names?.length || names.includes(ALWAYS) || names.some((name) => this.isSaid(name, folders))) return false
    }
    return !this.isUsedByCode(prefix, exceptDevice)
  }

  /** Do scripts outside of these folders say every word of a name? */
  private isSaid(name: string, but: ReadonlySet<string>): boolean {
    for (const word of wordsOf(name)) {
      const sayers = this.sayers.get(word) ?? new Set<string>()
      if (![...sayers].some((folder) => !but.has(folder))) return false
    }
    return true
  }

  /** Does other code than the plug-in’s own name one of its classes? That of plug-ins which nothing calls does not count. */
  private isUsedByCode(prefix: string, exceptDevice: boolean): boolean {
    const begin = `L${prefix.replaceAll('.', '/')}`
    for (const { descriptor } of this.program.classes()) {
      if (!descriptor.startsWith(begin) || descriptor.includes('/', begin.length)) continue
      const users = [
        ...this.program.classesNaming(descriptor),
        ...this.program.stringUses(dotted(descriptor)).map(({ method }) => method.owner),
      ]
      if (users.some((user) => !user.startsWith(begin) && !this.isUncalled(user, exceptDevice))) return true
    }
    return false
  }
}

/** In place of the names of what runs without a name. */
const ALWAYS = '*'

const packageOf = (name: string): string => name.slice(0, name.lastIndexOf('.') + 1)
const isQuoted = (content: string, name: string): boolean =>
  content.includes(`"${name}"`) || content.includes(`'${name}'`)

/** Folder of a plug-in -> names of the objects that its scripts put into a page. */
type Names = ReadonlyMap<string, readonly string[]>

function sayersOf({ all, folders }: Scripts, names: Names): ReadonlyMap<string, ReadonlySet<string>> {
  const sayers = new Map<string, Set<string>>()
  for (const list of names.values())
    for (const name of list) for (const word of wordsOf(name)) if (!sayers.has(word)) sayers.set(word, new Set())
  for (const [folder, contents] of [['', all], ...folders] as const)
    for (const content of contents) for (const word of wordsOf(content)) sayers.get(word)?.add(folder)
  return sayers
}

/** What cordova_plugins.js lists; null where it cannot be read or adds to its list by code. */
function namesOf(list: string): Names | null {
  const begin = list.indexOf('[')
  const end = endOfArray(list, begin)
  if (/exports(?!\.metadata\b)/.test(list.slice(end))) return null
  let modules: unknown
  try {
    modules = JSON.parse(list.slice(begin, end))
  } catch {
    return null
  }
  if (!Array.isArray(modules)) return null
  const names = new Map<string, string[]>()
  for (const one of modules as readonly Record<string, unknown>[]) {
    const folder = /^(plugins\/[^/]+)\//.exec(String(one?.['file'] ?? ''))?.[1]
    if (!folder) return null
    const found = names.get(folder) ?? []
    names.set(folder, found)
    for (const objects of [one['clobbers'], one['merges']])
      for (const object of Array.isArray(objects) ? objects : [])
        if (object) found.push(String(object).split('.').at(-1)!)
    if (one['runs'] === true) found.push(ALWAYS)
    found.push(String(one['id'] ?? ''))
  }
  return names
}

/** Behind the bracket that closes the one at `begin`, seen past texts in double quotes; 0 where no bracket does. */
function endOfArray(list: string, begin: number): number {
  let depth = 0
  for (let at = begin; at >= 0 && at < list.length; at++) {
    const sign = list[at]
    if (sign === '"') {
      for (at++; at < list.length && list[at] !== '"'; at++) if (list[at] === '\\') at++
    } else if (sign === '[') depth++
    else if (sign === ']' && --depth === 0) return at + 1
  }
  return 0
}
