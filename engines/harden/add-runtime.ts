import { createHash } from 'node:crypto'
import type { ApkFacts } from '../apk/apk-facts.ts'
import type { ClassFacts, Program } from '../dex/program.ts'
import type { HardenText } from './harden-texts.ts'
import type { HardenLog } from './hardening.ts'
import type { ManifestEditor } from './manifest-editor.ts'
import { type CheckAction, RUNTIME_CHECKS, type WantedChecks } from './runtime-checks.ts'

const APPLICATION = 'Landroid/app/Application;'
const ATTACH = '->attachBaseContext(Landroid/content/Context;)V'
const FINAL = 0x10
const ABSTRACT = 0x400
const MOST_ANCESTORS = 100

/** What the runtime needs of a package, or why it is not added. */
export type RuntimePlace =
  | { readonly refused: HardenText; readonly detail: string }
  | {
      /** Descriptor of the Application that the runtime extends. */
      readonly superclass: string
      /** The class of it where it is final, which it cannot stay. */
      readonly final: ClassFacts | undefined
    }

/**
 * Where the runtime goes: below the app's own Application, which Android makes first in every process. All versions from 5.0 on call it the same
 * way, and it needs no component of its own.
 */
export function runtimePlace(facts: ApkFacts, program: Program, minSdk: number): RuntimePlace {
  const refused = (text: HardenText, detail = '') => ({ refused: text, detail })
  if (minSdk < 21) return refused('Android before 5.0 loads the first dex file alone')
  if (!facts.dexEntries.length) return refused('the package has no code')
  const named = facts.applicationClass?.value
  if (!named) return { superclass: APPLICATION, final: undefined }
  const superclass = `L${named.replaceAll('.', '/')};`
  const own = program.classOf(superclass)
  if (!own || !facts.dexEntries.includes(own.entry))
    return refused('its Application {detail} is not in the package', named)
  if (own.accessFlags & ABSTRACT) return refused('its Application {detail} is abstract', named)
  let above: ClassFacts | undefined = own
  for (let depth = 0; above && depth < MOST_ANCESTORS; depth++) {
    const attach = above.methods.find(({ reference }) => reference.endsWith(ATTACH))
    if (attach && attach.accessFlags & FINAL) return refused('its Application has a final attachBaseContext')
    above = above.superclass === null ? undefined : program.classOf(above.superclass)
  }
  return { superclass, final: own.accessFlags & FINAL ? own : undefined }
}

/** Makes the class the Application of the manifest. */
export function setApplication(editor: ManifestEditor, className: string): Uint8Array {
  const [application] = editor.childrenOf(editor.root, 'application')
  editor.setAttribute(application!, { name: 'name', value: className })
  return editor.write()
}

/** Where the runtime sends what it finds. */
export interface RiskControl {
  /** Address of the collector as the policy names it. */
  readonly server: string
  /** Of the application; '' where none is known. */
  readonly enrolmentKey: string
  /** The app ends while the server cannot be reached. */
  readonly closed: boolean
}

const FIRST_WITHOUT_CLEAR_TEXT = 28

/** Why nothing is sent, if so. */
export function silenceOf(
  { server, enrolmentKey }: RiskControl,
  facts: ApkFacts,
  clearTextIsSwitchedOff: boolean,
): HardenText | undefined {
  if (enrolmentKey === '') return 'the application has no enrolment key'
  if (!facts.permissions.some(({ name }) => name === 'android.permission.INTERNET'))
    return 'the package may not use the network (no INTERNET permission)'
  const allowed = facts.usesCleartextTraffic?.value ?? facts.effectiveTargetSdk < FIRST_WITHOUT_CLEAR_TEXT
  if (server.startsWith('http:') && !facts.networkSecurityConfig && (clearTextIsSwitchedOff || !allowed))
    return 'the server has an http address, and the package allows no clear text'
  return undefined
}

/** Says where findings are sent, or why they are not. */
export function reportSending(
  { server, closed }: RiskControl,
  { refused, detail }: { readonly refused: HardenText | undefined; readonly detail: string },
  isEmpty: boolean,
  { networkSecurityConfig }: ApkFacts,
  log: HardenLog,
): void {
  const skip = (reason: HardenText, more = '') => log.skipped('risk_control', '', '', reason, 1, more)
  if (refused) skip(refused, detail)
  else if (isEmpty) skip('no check is in the package whose findings could be sent')
  else {
    log.applied('risk_control', '', '', 'findings are sent to {detail}', 1, server)
    if (server.startsWith('http:') && networkSecurityConfig)
      skip('a network security configuration decides whether the http address is reached')
    log.applied('risk_control', '', '', 'a policy that the server deploys decides what is done about findings')
    if (closed) log.applied('risk_control', '', '', 'the app ends while the server cannot be reached')
    log.absent('risk_control', 'keeping what could not be sent')
  }
}

/** Address that the paths of the collector follow. */
export const collectorBase = (server: string): string => server.replace(/[?#].*$/, '').replace(/\/+$/, '')

const CHECKED = {
  report: 'checked when a process starts: only reports',
  warn: 'checked when a process starts: warns',
  exit: 'checked when a process starts: exits',
} as const satisfies Record<CheckAction, HardenText>

/** The wanted checks that can be carried out; each is reported, with its action or with the reason why it is not. */
export function possibleChecks(
  wanted: WantedChecks,
  {
    place,
    hasCertificate,
    reports,
    hasShell,
    manifest,
  }: {
    readonly place: RuntimePlace
    readonly hasCertificate: boolean
    readonly reports: boolean
    /** A loader of encrypted code or an interpreter is in the package. */
    readonly hasShell: boolean
    /** Its entry. */
    readonly manifest: string
  },
  log: HardenLog,
): WantedChecks {
  const possible: WantedChecks = {}
  for (const check of RUNTIME_CHECKS) {
    const action = wanted[check]
    if (!action) continue
    const skip = (text: HardenText, detail = '') => log.skipped(check, manifest, '', text, 1, detail)
    if ('refused' in place) skip(place.refused, place.detail)
    else if (check === 'signature_check' && !hasCertificate) skip('the certificate of the release is not known: no key')
    else if (check === 'shell_protection' && !hasShell && !Object.keys(possible).length)
      skip('no loader, check or interpreter of ours is in the package')
    else if (action === 'report' && !reports) skip('it only reports, and there is nowhere to report to')
    else {
      possible[check] = action
      log.applied(check, '', '', CHECKED[action])
      if (check === 'memory_protection')
        log.applied(check, '', '', 'dumps of the memory of a process are forbidden when it starts')
    }
  }
  return possible
}

/** All that the runtime takes for code (isCode in checks.smali), also what Android does not load: what is not in the list was added. */
const LISTED = /^(?:classes.*\.dex|lib\/.*\.so|AndroidManifest\.xml|resources\.arsc)$/

/** The list that the integrity check compares entries with, as the runtime reads it. */
export function integrityList(entries: Iterable<readonly [name: string, content: () => Uint8Array]>): string {
  let list = '\n'
  for (const [name, content] of entries)
    if (LISTED.test(name)) list += `${name} ${createHash('sha256').update(content()).digest('hex')}\n`
  return list
}
