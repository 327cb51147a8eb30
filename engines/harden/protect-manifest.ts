import type { ApkFacts } from '../apk/apk-facts.ts'
import { type FrameworkAttribute, frameworkAttributeId } from '../axml/framework-attributes.ts'
import { VALUE } from '../axml/typed-value.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { HardenText } from './harden-texts.ts'
import type { HardenLog } from './hardening.ts'
import type { EditedManifest, ManifestElement } from './manifest-editor.ts'

export interface ManifestOptions {
  readonly protect: boolean
  readonly hijack: boolean
}

/** The element <application> of a manifest. */
interface Application extends EditedManifest {
  readonly application: ManifestElement
}

/** Attributes that are switched off where they are on. */
const SWITCHES = ['debuggable', 'allowBackup', 'usesCleartextTraffic'] as const satisfies readonly FrameworkAttribute[]

/**
 * Changes attributes of the manifest, and in a bundle of those of its other modules, which would take their place in an APK of all modules. Answers the
 * bytes of those that changed, by entry.
 */
export function protectManifest(
  manifests: readonly EditedManifest[],
  facts: ApkFacts,
  options: ManifestOptions,
  log: HardenLog,
): ReadonlyMap<string, Uint8Array> {
  const [base, ...modules] = manifests.flatMap((one, index) => applicationOf(one, index))
  const before = log.lines.length
  if (options.protect) {
    protect(base!, facts, log)
    for (const one of modules) protectModule(one, log)
  }
  if (options.hijack) tighten([base!, ...modules], log)
  const changed = new Set(
    log.lines
      .slice(before)
      .filter(({ outcome }) => outcome === 'applied')
      .map(({ file }) => file),
  )
  return new Map(manifests.filter(({ file }) => changed.has(file)).map(({ file, editor }) => [file, editor.write()]))
}

/** Modules of a bundle may have none. */
function applicationOf({ file, editor }: EditedManifest, index: number): Application[] {
  const [application] = editor.childrenOf(editor.root, 'application')
  if (application) return [{ file, editor, application }]
  if (index) return []
  throw new FormatError('harden', 'manifest', -1, 'the manifest has no application')
}

function protect({ file, editor, application }: Application, facts: ApkFacts, log: HardenLog): void {
  const off = (name: (typeof SWITCHES)[number], isOff: boolean, text: HardenText = 'set to false') => {
    if (isOff) return
    editor.setAttribute(application, { name, value: false })
    log.applied('manifest_protection', file, `application ${name}`, text)
  }
  off('debuggable', facts.debuggable?.value !== true)
  off('allowBackup', facts.allowBackup?.value === false)
  if (facts.networkSecurityConfig)
    log.skipped(
      'manifest_protection',
      file,
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
    log.applied('manifest_protection', file, 'application testOnly', 'removed')
  for (const { kind, name, exported, permission, intentFilters } of facts.components)
    if (exported && permission === null && !intentFilters.length && kind !== 'activity-alias')
      log.skipped(
        'manifest_protection',
        file,
        name,
        '{detail} is exported without filter or permission: decide by hand',
        1,
        kind,
      )
}

/** What another module of a bundle writes itself. */
function protectModule({ file, editor, application }: Application, log: HardenLog): void {
  for (const name of SWITCHES) {
    const attribute = attributeOf(application, name)
    if (!attribute || isFalse(attribute)) continue
    editor.setAttribute(application, { name, value: false })
    log.applied('manifest_protection', file, `application ${name}`, 'set to false')
  }
  if (editor.removeAttribute(application, { name: 'testOnly' }))
    log.applied('manifest_protection', file, 'application testOnly', 'removed')
}

/** Activities of other packages cannot join the tasks of this one. */
function tighten(manifests: readonly Application[], log: HardenLog): void {
  const all = manifests.flatMap(({ file, editor, application }) =>
    [application, ...editor.childrenOf(application, 'activity')].map((element) => ({ file, editor, element })),
  )
  const [{ file: main, editor: mainEditor, element: application }] = all as [(typeof all)[number]]
  if (all.some(({ element }) => attributeOf(element, 'taskAffinity')))
    log.skipped('anti_hijack', main, 'taskAffinity', 'the package groups its activities into tasks itself')
  else {
    mainEditor.setAttribute(application, { name: 'taskAffinity', value: '' })
    log.applied('anti_hijack', main, 'application taskAffinity', 'set to no task')
  }
  for (const { file, editor, element } of all) {
    const attribute = attributeOf(element, 'allowTaskReparenting')
    if (!attribute || isFalse(attribute)) continue
    editor.setAttribute(element, { name: 'allowTaskReparenting', value: false })
    log.applied('anti_hijack', file, `${element.name} allowTaskReparenting`, 'set to false')
  }
  log.absent('anti_hijack', 'the notice when the app leaves the foreground, which needs the shell')
}

type Attribute = ManifestElement['attributes'][number]

const attributeOf = (element: ManifestElement, name: FrameworkAttribute): Attribute | undefined =>
  element.attributes.find(({ id }) => id === frameworkAttributeId(name))

const isFalse = ({ type, data }: Attribute): boolean => type === VALUE.boolean && data === 0
