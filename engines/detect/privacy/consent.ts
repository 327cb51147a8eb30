import type { CallSite, MethodFacts, Program } from '../../dex/program.ts'
import { descriptorOf, memberOf } from '../evidence/locations.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { stringArgument } from '../rules/code.ts'
import { type EntryPoint, methodOf } from './reach.ts'

/** Names by which developers call the consent to the privacy policy. */
const CONSENT =
  /agree|consent|privacy|protocol|policy|accept|allow_?collect|authoriz|permit|first_?(?:start|run|open|launch|time|in)|yinsi|tongyi/i
const CONSENT_TEXT = /agree|consent|privacy|protocol|policy|accept|author|permit|first|隐私|同意|协议/i
const STORED = [
  'Landroid/content/SharedPreferences;->getBoolean(',
  'Lcom/tencent/mmkv/MMKV;->decodeBool(',
  'Lcom/tencent/mmkv/MMKV;->getBoolean(',
]

/**
 * From which offset on the calls of a method follow a consent check: a stored boolean whose key speaks of it (or is not
 * decided here), or a question whose name does. Only own code asks: what an SDK reads from its own settings is no consent to it.
 */
export function consentGate(inspected: InspectedPackage, program: Program): (method: MethodFacts) => number {
  return (method) => {
    if (inspected.ownerOf(method.owner).kind === 'sdk') return Number.POSITIVE_INFINITY
    const asked = program.callsFrom(method).find((call) => asksConsent(program, call))
    return asked?.offset ?? Number.POSITIVE_INFINITY
  }
}

function asksConsent(program: Program, call: CallSite): boolean {
  if (STORED.some((begin) => call.callee.startsWith(begin))) {
    const key = stringArgument(program, call, 1)
    return key === undefined || CONSENT_TEXT.test(key)
  }
  const member = memberOf(call.callee)
  if (!member.endsWith(')Z')) return false
  const name = member.slice(0, member.indexOf('('))
  return CONSENT.test(name) && !/^(?:setA|setP|on)/.test(name)
}

/** Dialogs and screens that look as if they ask for consent. */
function opensConsent(call: CallSite): boolean {
  return /(?:Privacy|Agreement|Protocol|Consent|Policy|YinSi)\w*(?:Dialog|Fragment|Popup|Window|Activity)?;->(?:<init>|show|newInstance|start|open)/i.test(
    call.callee,
  )
}

/** What runs in the process before anybody touched the screen: application, content providers, their static parts, the first screen. */
export function entryPoints(inspected: InspectedPackage, program: Program): readonly EntryPoint[] {
  const { facts } = inspected
  if (!facts) return []
  const entries: EntryPoint[] = []
  const add = (descriptor: string, members: readonly string[], until?: (method: MethodFacts) => number | undefined) => {
    const seen = new Set<string>()
    for (let at: string | null = descriptor; at !== null && !seen.has(at); ) {
      seen.add(at)
      const owner = program.classOf(at)
      for (const member of members) {
        const method = methodOf(owner, member)
        const end = method && until?.(method)
        if (method) entries.push({ method, ...(end !== undefined && { until: end }) })
      }
      at = owner?.superclass ?? null
    }
  }
  const application = facts.applicationClass?.value
  if (application)
    add(descriptorOf(application), [
      '<clinit>()V',
      '<init>()V',
      'attachBaseContext(Landroid/content/Context;)V',
      'onCreate()V',
    ])
  for (const { kind, name, enabled } of facts.components)
    if (kind === 'provider' && enabled && name)
      add(descriptorOf(name), [
        '<clinit>()V',
        'onCreate()Z',
        'attachInfo(Landroid/content/Context;Landroid/content/pm/ProviderInfo;)V',
      ])
  const launcher = facts.launchableActivity?.value
  if (launcher)
    add(
      descriptorOf(launcher),
      ['<clinit>()V', 'onCreate(Landroid/os/Bundle;)V'],
      (method) => program.callsFrom(method).find(opensConsent)?.offset,
    )
  return entries
}

/** Everything of these components that the system may start without a screen: services, receivers, jobs. */
export function backgroundEntryPoints(inspected: InspectedPackage, program: Program): readonly EntryPoint[] {
  const found: EntryPoint[] = []
  const add = (descriptor: string, names: readonly string[]) => {
    for (const method of program.classOf(descriptor)?.methods ?? [])
      if (names.includes(method.name)) found.push({ method })
  }
  for (const { kind, name, enabled } of inspected.facts?.components ?? []) {
    if (!enabled || !name) continue
    if (kind === 'receiver') add(descriptorOf(name), ['onReceive'])
    if (kind === 'service')
      add(descriptorOf(name), ['onCreate', 'onStart', 'onStartCommand', 'onStartJob', 'onHandleIntent', 'onHandleWork'])
  }
  for (const worker of ['androidx.work.Worker', 'androidx.work.CoroutineWorker', 'androidx.work.ListenableWorker'])
    for (const { descriptor } of program.subclassesOf(descriptorOf(worker))) add(descriptor, ['doWork', 'startWork'])
  return found
}

/** What the first screen does each time it comes up. */
export function resumeEntryPoints(inspected: InspectedPackage, program: Program): readonly EntryPoint[] {
  const launcher = inspected.facts?.launchableActivity?.value
  const methods = launcher ? (program.classOf(descriptorOf(launcher))?.methods ?? []) : []
  return methods
    .filter((method) => ['onCreate', 'onStart', 'onResume', 'onWindowFocusChanged'].includes(method.name))
    .map((method) => ({ method }))
}
