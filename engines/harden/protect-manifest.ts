import type { ApkFacts } from '../apk/apk-facts.ts'
import { AxmlEditor, type EditableElement, type NewAttribute } from '../axml/axml-editor.ts'
import { VALUE } from '../axml/typed-value.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { HardenText } from './harden-texts.ts'
import type { HardenLog } from './hardening.ts'

const FILE = 'AndroidManifest.xml'

export interface ManifestOptions {
  readonly protect: boolean
  readonly hijack: boolean
}

/** Changes attributes of the manifest; answers its bytes, undefined where nothing changes. */
export function protectManifest(
  bytes: Uint8Array,
  facts: ApkFacts,
  options: ManifestOptions,
  log: HardenLog,
): Uint8Array | undefined {
  const editor = new AxmlEditor(bytes)
  const [application] = editor.childrenOf(editor.root, 'application')
  if (!application) throw new FormatError('harden', 'manifest', -1, 'the manifest has no application')
  const before = log.lines.length
  if (options.protect) protect(editor, application, facts, log)
  if (options.hijack) tighten(editor, application, log)
  return log.lines.slice(before).some(({ outcome }) => outcome === 'applied') ? editor.write() : undefined
}

function protect(editor: AxmlEditor, application: EditableElement, facts: ApkFacts, log: HardenLog): void {
  const off = (name: string, isOff: boolean, text: HardenText = 'set to false') => {
    if (isOff) return
    editor.setAttribute(application, { name, value: false } as NewAttribute)
    log.applied('manifest_protection', FILE, `application ${name}`, text)
  }
  off('debuggable', facts.debuggable?.value !== true)
  off('allowBackup', facts.allowBackup?.value === false)
  if (facts.networkSecurityConfig)
    log.skipped(
      'manifest_protection',
      FILE,
      'application usesCleartextTraffic',
      'a network security configuration decides about it',
    )
  else
    off(
      'usesCleartextTraffic',
      facts.usesCleartextTraffic?.value === false,
      facts.usesCleartextTraffic?.value ? 'set to false: the app asked for true, its http addresses fail' : undefined,
    )
  if (facts.testOnly?.value && editor.removeAttribute(application, { name: 'testOnly' }))
    log.applied('manifest_protection', FILE, 'application testOnly', 'removed')
  for (const { kind, name, exported, permission, intentFilters } of facts.components)
    if (exported && permission === null && !intentFilters.length && kind !== 'activity-alias')
      log.skipped(
        'manifest_protection',
        FILE,
        name,
        '{detail} is exported without filter or permission: decide by hand',
        1,
        kind,
      )
}

/** Activities of other packages cannot join the tasks of this one. */
function tighten(editor: AxmlEditor, application: EditableElement, log: HardenLog): void {
  const isNamed = (element: EditableElement, id: number) => element.attributes.some((one) => one.id === id)
  const activities = editor.childrenOf(application, 'activity')
  const [AFFINITY, REPARENTING] = [0x01010012, 0x01010204]
  if (isNamed(application, AFFINITY) || activities.some((one) => isNamed(one, AFFINITY)))
    log.skipped('anti_hijack', FILE, 'taskAffinity', 'the package groups its activities into tasks itself')
  else {
    editor.setAttribute(application, { name: 'taskAffinity', value: '' })
    log.applied('anti_hijack', FILE, 'application taskAffinity', 'set to no task')
  }
  for (const element of [application, ...activities]) {
    const attribute = element.attributes.find(({ id }) => id === REPARENTING)
    if (!attribute || (attribute.type === VALUE.boolean && attribute.data === 0)) continue
    editor.setAttribute(element, { name: 'allowTaskReparenting', value: false })
    log.applied('anti_hijack', FILE, `${element.name} allowTaskReparenting`, 'set to false')
  }
  log.absent('anti_hijack', 'the notice when the app leaves the foreground, which needs the shell')
}
