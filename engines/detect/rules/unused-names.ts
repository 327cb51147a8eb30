import type { XmlElement } from '../../axml/read-axml.ts'
import { valueText } from '../../axml/typed-value.ts'
import { PAGE_ENGINES } from '../catalogue/script-engines.ts'
import { elementsOf } from '../evidence/xml-text.ts'
import type { CodeContext } from './rule.ts'

/** Small files that may name classes; with more of them every class counts as named. */
const MOST_FILES = 500
/** In place of every name: nothing that is read below has this form, as the `*` of `<access origin="*">` would. */
export const ALL = '/ '

/** Names as JNI writes them: `org/maker/app/Main`. */
export function namesInNativeCode({ entries, natives, read }: CodeContext): ReadonlySet<string> {
  const names = new Set<string>()
  const repeated = new Set(natives.flatMap((one) => (one.repeated ? one.entry : [])))
  for (const { name } of entries) {
    if (!name.endsWith('.so') || repeated.has(name)) continue
    const bytes = read(name)
    if (!bytes) names.add(ALL)
    const text = Buffer.from(bytes ?? []).toString('latin1')
    for (const [, found] of text.matchAll(/\0L?([A-Za-z_$][\w$]*(?:\/[\w$]+)+);?(?=\0)/g)) names.add(found!)
  }
  return names
}

/** Files of settings, which may name classes that code then makes. */
const SETTING = /(?:^|\/)(?:assets|res\/raw[^/]*)\/.*\.(?:json|xml|properties|ya?ml|ini|conf|cfg|txt)$/i
/** The same with scripts, which may ask a plug-in for a class by its name. */
const SETTING_OR_SCRIPT =
  /(?:^|\/)(?:assets|res\/raw[^/]*)\/.*\.(?:json|xml|properties|ya?ml|ini|conf|cfg|txt|js|html?)$/i
const SETTING_BYTES = 48 * 2 ** 20

/** Classes that the manifest, files of services and settings, XML resources, texts of the resource table and static fields name. */
export function namesOutsideCode({
  facts,
  manifest,
  entries,
  read,
  xml,
  program,
  resources,
  sdks,
}: CodeContext): ReadonlySet<string> {
  const names = new Set<string>()
  const id = facts?.package?.value ?? ''
  const add = (value: string) => {
    const name = value.trim()
    names.add(name.startsWith('.') ? id + name : name)
    if (name && !name.includes('.')) names.add(`${id}.${name}`)
  }
  const addAll = (root: XmlElement) => {
    for (const { element } of elementsOf(root)) {
      add(element.name)
      for (const { value } of element.attributes) add(valueText(value))
    }
  }
  for (const component of facts?.components ?? [])
    for (const one of [component.name, component.targetActivity]) add(one ?? '')
  if (manifest) addAll(manifest)
  for (const { value, fields } of program.stringConstants()) if (fields.length) names.add(value.replaceAll('/', '.'))
  for (const { value } of resources?.all() ?? []) if (value?.text?.includes('.')) names.add(value.text)
  const files = (pattern: RegExp) => {
    const found = entries.filter(({ name }) => pattern.test(name))
    if (found.length > MOST_FILES) names.add(ALL)
    return found.slice(0, MOST_FILES)
  }
  for (const { name } of files(/(?:^|\/)META-INF\/services\/|(?:^|\/)assets\/xposed_init$/))
    for (const line of Buffer.from(read(name) ?? [])
      .toString('utf8')
      .split('\n'))
      add(line.replace(/#.*/, ''))
  let left = SETTING_BYTES
  const byPages = sdks.some(({ id }) => PAGE_ENGINES.has(id))
  for (const { name, size } of files(byPages ? SETTING_OR_SCRIPT : SETTING)) {
    left -= size
    if (left < 0) {
      names.add(ALL)
      break
    }
    const content = Buffer.from(read(name) ?? []).toString('latin1')
    for (const [found] of content.matchAll(/(?<![\w$])[A-Za-z_][\w$]*(?:[./][A-Za-z_$][\w$]*)+/g))
      names.add(found.replaceAll('/', '.'))
  }
  for (const { name } of files(/(?:^|\/)res\/xml[^/]*\/[^/]+\.xml$/)) {
    const root = xml(name)
    if (root) addAll(root)
  }
  return names
}
