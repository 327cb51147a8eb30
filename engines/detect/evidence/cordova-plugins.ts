import type { XmlElement } from '../../axml/read-axml.ts'
import type { Program } from '../../dex/program.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { attributeText, elementsOf } from './xml-text.ts'

const FOLDER = 'assets/www/'
const PLUGIN_LIST = `${FOLDER}cordova_plugins.js`
const CONFIG = 'res/xml/config.xml'
/** With more or larger scripts than these the answer is that they may call everything. */
const MOST_SCRIPTS = 500
const MOST_BYTES = 16 * 2 ** 20
const PLUGIN_CLASSES = ['Lorg/apache/cordova/CordovaPlugin;', 'Lorg/apache/cordova/api/CordovaPlugin;']
/** Cordova's own plug-ins hand what they take to the page and send nothing by themselves. */
const CORDOVA = 'org.apache.cordova.'

/** Scripts from elsewhere, computed names and pages from elsewhere: what they call is not in the package. */
const UNREADABLE =
  /<(?:script|i?frame|object|embed)[^>]{0,500}\s(?:src|data)\s*=\s*["']?(?:https?:)?\/\/|navigator\s*\[|createElement\(\s*["'](?:script|iframe)["']|\blocation(?:\.href)?\s*=[^=]{0,200}https?:|cordova\/exec|cordova\s*(?:\.\s*exec|\[)|\beval\s*\(|new\s+Function\s*\(/i
/** A script of a plug-in that asks its Android code as soon as it is loaded. */
const RUNS_ITSELF = /\.\s*subscribe\s*\(|deviceready|onCordovaReady|setTimeout|setInterval/i

interface Plugin {
  /** Java package of its class with a dot behind it. */
  readonly prefix: string
  readonly service: string
  /** Android makes it when the application starts. */
  readonly atStart: boolean
}

const known = new WeakMap<Program, CordovaPlugins | null>()

/**
 * Is it code of a Cordova plug-in that no script of the package calls? The Android code of a plug-in runs when a script names its
 * JavaScript object (`clobbers` and `merges` of cordova_plugins.js) or its service. Where scripts come from elsewhere, compute names or
 * cannot be read, the answer is no.
 */
export const isUncalledPlugin = (inspected: InspectedPackage, descriptor: string): boolean =>
  pluginsOf(inspected)?.isUncalled(descriptor, false) ?? false

/** The same, where a plug-in of Cordova itself that only offers to scripts what it took does not count as called. */
export const isUnaskedPlugin = (inspected: InspectedPackage, descriptor: string): boolean =>
  pluginsOf(inspected)?.isUncalled(descriptor, true) ?? false

/** Do the scripts of the package, all of which were read, use the text? Undefined where they could not be read. */
export const cordovaScriptsUse = (inspected: InspectedPackage, pattern: RegExp): boolean | undefined =>
  pluginsOf(inspected)?.scriptsUse(pattern)

/** Value of a preference in Cordova’s configuration; null where it is not set, undefined where there is no configuration to read. */
export function cordovaPreference(
  inspected: Pick<InspectedPackage, 'xml' | 'resources'>,
  name: string,
): string | null | undefined {
  const root = configuration(inspected)
  if (!root) return undefined
  for (const { element } of elementsOf(root))
    if (element.name === 'preference' && attributeText(element, 'name')?.toLowerCase() === name.toLowerCase())
      return attributeText(element, 'value') ?? ''
  return null
}

/** A build that shortens the names of resources keeps the name in the resource table. */
function configuration({ xml, resources }: Pick<InspectedPackage, 'xml' | 'resources'>): XmlElement | null {
  const plain = xml(CONFIG)
  if (plain) return plain
  for (const { name, value } of resources?.all() ?? []) if (name === 'xml/config' && value?.text) return xml(value.text)
  return null
}

function pluginsOf(inspected: InspectedPackage): CordovaPlugins | null {
  const { program } = inspected
  if (!program) return null
  const before = known.get(program)
  if (before !== undefined) return before
  const plugins = CordovaPlugins.read(inspected, program)
  known.set(program, plugins)
  return plugins
}

class CordovaPlugins {
  private readonly program: Program
  private readonly plugins: readonly Plugin[]
  private readonly scripts: readonly string[]
  /** Folder below `plugins/` -> its scripts. */
  private readonly folders: ReadonlyMap<string, readonly string[]>
  private readonly names: ReadonlyMap<string, ReadonlySet<string>>
  private readonly components: ReadonlySet<string>
  private readonly answers = new Map<string, boolean>()

  private constructor(
    { facts }: InspectedPackage,
    program: Program,
    plugins: readonly Plugin[],
    scripts: readonly string[],
    folders: ReadonlyMap<string, readonly string[]>,
    names: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.program = program
    this.plugins = plugins
    this.scripts = scripts
    this.folders = folders
    this.names = names
    this.components = new Set((facts?.components ?? []).map(({ name }) => packageOf(name)))
  }

  static read(inspected: InspectedPackage, program: Program): CordovaPlugins | null {
    const { entries, read, codeGap, packer } = inspected
    const config = configuration(inspected)
    const list = read(PLUGIN_LIST)
    if (!config || !list || codeGap || packer || !PLUGIN_CLASSES.some((one) => program.classOf(one))) return null
    const plugins: Plugin[] = []
    for (const { element } of elementsOf(config)) {
      if (element.name === 'content' && /^(?:https?:)?\/\//i.test(attributeText(element, 'src') ?? '')) return null
      if (element.name === 'allow-navigation') return null
      if (element.name !== 'feature') continue
      const parameter = (name: string) => {
        const found = element.children.find((one) => one.name === 'param' && attributeText(one, 'name') === name)
        return found && attributeText(found, 'value')
      }
      const name = parameter('android-package')
      if (!name) return null
      plugins.push({
        prefix: packageOf(name),
        service: attributeText(element, 'name') ?? '',
        atStart: parameter('onload') === 'true',
      })
    }
    if (program.callsTo('L*;->loadUrl(').some((call) => /^https?:/i.test(stringOf(program, call)))) return null
    const files = entries.filter(({ name }) => name.startsWith(FOLDER) && /\.(?:m?js|x?html?)$/i.test(name))
    if (files.length > MOST_SCRIPTS || files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return null
    const scripts: string[] = []
    const folders = new Map<string, string[]>()
    for (const { name } of files) {
      if (name === PLUGIN_LIST || /^assets\/www\/cordova[\w.-]*\.js$/.test(name)) continue
      const bytes = read(name)
      if (!bytes) return null
      const content = Buffer.from(bytes).toString('latin1')
      const folder = /^assets\/www\/(plugins\/[^/]+)\//.exec(name)?.[1]
      if (folder) folders.set(folder, [...(folders.get(folder) ?? []), content])
      else if (UNREADABLE.test(content)) return null
      else scripts.push(content)
    }
    const names = namesOf(Buffer.from(list).toString('latin1'))
    return names && scripts.length ? new CordovaPlugins(inspected, program, plugins, scripts, folders, names) : null
  }

  scriptsUse(pattern: RegExp): boolean {
    return this.scripts.some((script) => pattern.test(script))
  }

  isUncalled(descriptor: string, onlyOffers: boolean): boolean {
    const prefix = packageOf(descriptor.slice(1, -1).replaceAll('/', '.'))
    const key = `${prefix} ${onlyOffers}`
    const before = this.answers.get(key)
    if (before !== undefined) return before
    // Plug-ins that use each other count as called.
    this.answers.set(key, false)
    const answer = this.decide(prefix, onlyOffers)
    this.answers.set(key, answer)
    return answer
  }

  private decide(prefix: string, onlyOffers: boolean): boolean {
    const own = this.plugins.filter((plugin) => plugin.prefix === prefix)
    if (!own.length || prefix === CORDOVA || this.components.has(prefix) || own.some(({ atStart }) => atStart))
      return false
    const folders = [...this.folders].filter(([, contents]) =>
      own.some(({ service }) => contents.some((content) => isQuoted(content, service))),
    )
    if (!folders.length) return false
    const offers = onlyOffers && prefix.startsWith(CORDOVA)
    for (const [folder, contents] of folders) {
      if (!offers && contents.some((content) => RUNS_ITSELF.test(content))) return false
      const names = [...(this.names.get(folder) ?? [])]
      const others = [...this.folders].flatMap(([other, texts]) =>
        folders.some(([one]) => one === other) ? [] : texts,
      )
      if (
        !names.length ||
        names.includes(ALWAYS) ||
        [...this.scripts, ...others].some((script) => names.some((name) => says(script, name)))
      )
        return false
    }
    if (this.scripts.some((script) => own.some(({ service }) => isQuoted(script, service)))) return false
    return !this.isUsedByCode(prefix, onlyOffers)
  }

  /** Does other code than the plug-in’s own name one of its classes? That of plug-ins which nothing calls does not count. */
  private isUsedByCode(prefix: string, onlyOffers: boolean): boolean {
    const begin = `L${prefix.replaceAll('.', '/')}`
    for (const { descriptor } of this.program.classes()) {
      if (!descriptor.startsWith(begin) || descriptor.includes('/', begin.length)) continue
      for (const user of this.program.classesNaming(descriptor))
        if (!user.startsWith(begin) && !this.isUncalled(user, onlyOffers)) return true
    }
    return false
  }
}

/** In place of the names of what runs without a name. */
const ALWAYS = '*'

const packageOf = (name: string): string => name.slice(0, name.lastIndexOf('.') + 1)
const stringOf = (program: Program, call: Parameters<Program['argument']>[0]): string => {
  const value = program.argument(call, 1)
  return value.kind === 'string' ? value.value : ''
}
const isQuoted = (content: string, name: string): boolean =>
  content.includes(`"${name}"`) || content.includes(`'${name}'`)
const says = (content: string, name: string): boolean => {
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1))
    if (!/[\w$]/.test(content[at - 1] ?? ' ') && !/[\w$]/.test(content[at + name.length] ?? ' ')) return true
  return false
}

/** Folder of a plug-in -> names of the objects that its scripts put into a page; null where the list cannot be read. */
function namesOf(list: string): ReadonlyMap<string, ReadonlySet<string>> | null {
  const begin = list.indexOf('[')
  const end = list.search(/\]\s*;?\s*module\.exports\.metadata|\]\s*;?\s*\}\s*\)/)
  let modules: unknown
  try {
    modules = JSON.parse(list.slice(begin, end + 1))
  } catch {
    return null
  }
  if (!Array.isArray(modules)) return null
  const names = new Map<string, Set<string>>()
  for (const one of modules as readonly Record<string, unknown>[]) {
    const folder = /^(plugins\/[^/]+)\//.exec(String(one?.['file'] ?? ''))?.[1]
    if (!folder) return null
    const found = names.get(folder) ?? new Set<string>()
    names.set(folder, found)
    for (const list of [one['clobbers'], one['merges']])
      for (const object of Array.isArray(list) ? list : []) if (object) found.add(String(object).split('.').at(-1)!)
    if (one['runs'] === true) found.add(ALWAYS)
    found.add(String(one['id'] ?? ''))
  }
  return names
}
