import type { XmlElement } from '../../axml/read-axml.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import { effectsOf, unlessIdle } from './effects.ts'
import { evidenceHit, wholeHit } from './hits.ts'
import { type Hit, type ManifestContext, text } from './rule.ts'

/** An attribute of the application element, a resource as what it is. */
export function applicationText(context: ManifestContext, name: string): string | undefined {
  const element = context.manifest.children.find((one) => one.name === 'application')
  return element && attributeText(element, name, context.resources)
}

/** Backups that are allowed and leave nothing out. */
export function backup(context: ManifestContext): Hit[] {
  const { facts } = context
  if (facts.allowBackup && !facts.allowBackup.value) return []
  // Android saves packages with the user id of the system only where they have an agent of their own.
  if (facts.sharedUserId?.value === 'android.uid.system' && !applicationText(context, 'backupAgent')) return []
  const evidence = facts.allowBackup?.evidence
  const hit = (zh: string, en: string, level?: 'low'): Hit[] => [
    evidence
      ? evidenceHit(evidence, 'allowBackup', text(zh, en), level)
      : wholeHit(context, 'allowBackup', text(zh, en), level),
  ]
  const old = applicationText(context, 'fullBackupContent')
  if (old === 'false') return []
  const files = [old, applicationText(context, 'dataExtractionRules')].flatMap((file) =>
    file?.includes('/') ? [context.xml(file)] : [],
  )
  const roots = files.filter((root) => root !== null)
  if (roots.length) {
    const domains = roots.map((root) => excludedDomains(root))
    const whole = domains.every(
      (found) => found.all || ['sharedpref', 'database', 'file'].every((name) => found.names.has(name)),
    )
    if (whole && (roots.length === 2 || context.minSdk >= 31 || context.targetSdk < 31)) return []
    if (domains.some(({ all, names }) => all || names.size)) return []
    return hit('允许备份，规则文件未排除任何内容', 'backup is allowed, and the rule file excludes nothing', 'low')
  }
  if (context.targetSdk >= 31 && !facts.debuggable?.value)
    return hit(
      '允许备份且无排除规则：仅涉及云备份与设备迁移',
      'backup is allowed without exclusions: only cloud and device transfer remain',
      'low',
    )
  const { stores } = effectsOf(context)
  const [{ zh, en }, level] = unlessIdle(
    text('允许备份且没有排除规则', 'backup is allowed, and no rule excludes anything'),
    stores === 'data',
    stores === 'data' ? text('', '') : HELD[stores],
  )
  return hit(zh, en, level)
}

/** Why a backup holds little. */
const HELD = {
  nothing: text('未见代码保存数据', 'no code that stores data was seen'),
  identifiers: text(
    '仅 Google 的库保存其自身的标识与设置',
    'only libraries of Google keep something, identifiers and settings of their own',
  ),
  'shared files': text(
    '自有代码仅在共享存储中的应用目录保存文件，Android 11 之前其他应用可读，经 USB 亦可读',
    'own code keeps files only in the folder of the application on shared storage, which is read by USB anyway, and before Android 11 by other applications',
  ),
} as const

/** What a backup rule file leaves out: by name, or all but what it includes. */
function excludedDomains(root: XmlElement): { all: boolean; names: Set<string> } {
  const names = new Set<string>()
  let all = false
  for (const { element } of elementsOf(root)) {
    if (element.name === 'exclude') names.add(attributeText(element, 'domain') ?? '')
    if (element.name === 'include') all = true
  }
  return { all, names }
}
