import { axmlText } from '#engines/axml/axml-text.ts'
import { ANDROID_ITEMS } from '#engines/detect/catalogue/rule-items.ts'
import { descriptorOf } from '#engines/detect/evidence/locations.ts'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { IOS_ITEMS } from '#engines/detect/ios/ios-items.ts'
import { readContext } from '#engines/detect/read-context.ts'
import type { RuleContext } from '#engines/detect/rules/rule-context.ts'
import type { ClassFacts, MethodFacts, Program } from '#engines/dex/program.ts'
import type { Package } from '#engines/package/package.ts'
import { readAnyXml } from '#engines/package/read-any-xml.ts'
import { plistJson } from '#engines/plist/plist-node.ts'
import type { DrawnFinding } from './draw-sample.ts'
import type { Scanned } from './scan-packages.ts'

const MAIN_LINES = 600
const OTHER_LINES = 120
const MOST_OTHERS = 10
const MANIFEST_LINES = 260
const SIGNAL_SITES = 6

/** Everything that a reader needs to decide whether a finding is right: the claim, the code in full, its callers, and the manifest. */
export class Dossiers {
  private readonly scanned: Scanned
  private readonly context: RuleContext | null

  constructor(scanned: Scanned) {
    this.scanned = scanned
    this.context =
      scanned.source.kind === 'ipa' ? null : readContext(scanned.source, { ...SCAN_CHOICES }, () => undefined).rules
  }

  of(number: string, drawn: DrawnFinding): string {
    const { result, source } = this.scanned
    const { package: summary } = result
    const judged = result.items.find(({ id }) => id === drawn.item)!
    const rule = [...ANDROID_ITEMS, ...IOS_ITEMS].find(({ id }) => id === drawn.item)
    const { finding } = drawn
    const { evidence } = finding
    const parts = [
      heading('FINDING', number),
      `package   ${summary.name}\nsha256    ${drawn.sha256}\nkind      ${summary.kind}\nid        ${summary.id} ${summary.version}\nSDK       min ${summary.minSdk} target ${summary.targetSdk}\nsignature ${summary.signature} (${summary.schemes.join(', ')}), packer ${summary.packer ?? 'none'}`,
      `item      ${drawn.item}\nlevel     ${drawn.level}\nname      ${judged.name.en}\nowner     ${finding.owner.kind} ${finding.owner.sdk ?? ''}\nlocation  ${drawn.location}\nentry     ${evidence.entry}${evidence.offset >= 0 ? ` offset ${evidence.offset}` : ''}${evidence.method ? `\nmethod    ${evidence.method}` : ''}${evidence.line ? `\nline      ${evidence.line}` : ''}\nsays      ${finding.detail.en}\nhits      ${judged.hits} of this item in this package`,
      heading('WHAT THE ITEM CLAIMS'),
      `threat: ${judged.threat.en}\nadvice: ${judged.advice.en}\nsignals:\n${(rule?.signals ?? []).map((one) => `  ${one}`).join('\n')}\nmust not trigger: ${rule?.mustNotTrigger ?? ''}`,
      ...(evidence.snippet?.length ? [heading('EVIDENCE AS SHOWN'), evidence.snippet.join('\n')] : []),
      ...(this.context?.program && evidence.class ? codeParts(this.context.program, finding.evidence) : []),
      ...(this.context?.program ? signalParts(this.context, rule?.signals ?? []) : []),
      ...fileParts(source, this.context, evidence.entry),
      ...certificateParts(this.scanned, drawn.item),
      ...manifestParts(source, this.context, evidence.path),
      ...infoParts(source),
    ]
    return `${parts.join('\n\n')}\n`
  }
}

const heading = (...words: string[]): string => `======== ${words.join(' ')} ========`

const memberName = (reference: string): string => reference.slice(reference.indexOf('->') + 2)

function codeParts(program: Program, evidence: DrawnFinding['finding']['evidence']): string[] {
  const found = program.classOf(descriptorOf(evidence.class!))
  if (!found) return []
  const method = found.methods.find(({ reference }) => memberName(reference) === evidence.method)
  const parts = [heading('CLASS'), classText(found)]
  if (!method) {
    const listings = found.methods.slice(0, MOST_OTHERS).map((one) => listing(program, one, OTHER_LINES))
    return [...parts, heading('ITS METHODS'), ...listings.filter(Boolean)]
  }
  parts.push(heading('THE METHOD'), listing(program, method, MAIN_LINES, evidence.snippet))
  const initialisers = found.methods.filter((one) => /^<(?:cl)?init>$/.test(one.name) && one !== method)
  const callers = program.callersOf(method, 1).filter((one) => one !== method)
  const callees = program
    .callsFrom(method)
    .map(({ callee }) =>
      program.classOf(callee.slice(0, callee.indexOf('->')))?.methods.find((one) => one.reference === callee),
    )
    .filter((one): one is MethodFacts => one !== undefined && one !== method && one.codeSize > 0)
  const others = [
    ['INITIALISER', initialisers],
    [`CALLER (${callers.length} known)`, callers],
    ['CALLED METHOD', callees],
  ] as const
  for (const [title, methods] of others)
    for (const one of [...new Set(methods)].slice(0, MOST_OTHERS)) {
      const text = listing(program, one, OTHER_LINES)
      if (text) parts.push(heading(title), text)
    }
  return parts
}

const classText = (found: ClassFacts): string =>
  [
    `${found.descriptor} extends ${found.superclass ?? '-'} implements ${found.interfaces.join(', ') || '-'} (${found.sourceFile ?? 'no source file'})`,
    ...found.fields.map(
      ({ name, type, constant }) =>
        `  field ${name}:${type}${constant === undefined ? '' : ` = ${JSON.stringify(String(constant))}`}`,
    ),
    ...found.methods
      .slice(0, 60)
      .map(({ reference, codeSize }) => `  method ${memberName(reference)} (${codeSize} units)`),
  ].join('\n')

/** The instructions of a method that calls something, those that the finding shows marked; '' of a method without calls. */
function listing(program: Program, method: MethodFacts, lines: number, shown: readonly string[] = []): string {
  const calls = program.callsFrom(method)
  const middle = calls[Math.floor(calls.length / 2)]
  if (!middle) return ''
  const whole = program.listing(middle, lines).map((line) => (shown.includes(line) ? `>> ${line}` : `   ${line}`))
  return [`${method.reference}${calls[0]!.line ? ` (from line ${calls[0]!.line})` : ''}`, ...whole].join('\n')
}

/** What the calls, classes and texts that the item names occur like in the whole program: to check that something is absent. */
function signalParts({ program }: RuleContext, signals: readonly string[]): string[] {
  const lines: string[] = []
  for (const signal of signals) {
    for (const [reference] of signal.matchAll(/L[\w/$]+;->[\w<>$]+/g)) {
      const calls = program!.callsTo(reference)
      lines.push(`${reference}: ${calls.length} calls`)
      for (const { method, line } of calls.slice(0, SIGNAL_SITES))
        lines.push(`    ${method.reference}${line ? `:${line}` : ''}`)
    }
    const [, pattern, flags] = /^string: \/(.+)\/(\w*)/.exec(signal) ?? [undefined, wordsOf(signal), 'i']
    if (!pattern) continue
    const texts = textsLike(program!, pattern, flags ?? '')
    lines.push(`texts like /${pattern}/: ${texts.length}`, ...texts.slice(0, 12).map((text) => `    ${text}`))
  }
  return lines.length ? [heading('WHERE THE PROGRAM HAS WHAT THE ITEM NAMES'), lines.join('\n')] : []
}

/** The words in brackets of `absent: string in (su,magisk)`, as a pattern. */
function wordsOf(signal: string): string {
  const words = /^absent: string[^(]*\(([^)]+)\)/.exec(signal)?.[1]?.split(/,\s*/) ?? []
  return words.map((word) => word.replace(/[^\w ]/g, '\\$&')).join('|')
}

function textsLike(program: Program, pattern: string, flags: string): string[] {
  let expression: RegExp
  try {
    expression = new RegExp(pattern, flags)
  } catch {
    return []
  }
  return [...program.stringConstants()]
    .filter(({ value }) => expression.test(value))
    .map(
      ({ value, locations }) =>
        `${JSON.stringify(value.slice(0, 200))} in ${locations[0]?.method.reference ?? 'a field'}`,
    )
}

function fileParts(source: Package, context: RuleContext | null, entry: string): string[] {
  if (!context || !entry || /\.dex$|\.class$|\.arsc$|^AndroidManifest\.xml$/.test(entry)) return []
  const bytes = context.read(entry)
  if (!bytes) return []
  const names = context.resources
  const text = /\.xml$/.test(entry)
    ? axmlText(readAnyXml(bytes), (id) => names?.nameOf(id))
        .split('\n')
        .slice(0, 200)
        .join('\n')
    : entry.endsWith('.so')
      ? nativeText(context, entry)
      : Buffer.from(bytes)
          .toString('latin1')
          .replace(/[^\n\x20-\x7e]/g, '.')
          .slice(0, 6000)
  return [heading('FILE', entry, `(${bytes.length} bytes of ${source.name})`), text]
}

function nativeText({ natives }: RuleContext, entry: string): string {
  const elf = natives.find((one) => one.entry === entry)?.elf
  return elf
    ? JSON.stringify(elf, (_key, value) =>
        value instanceof Uint8Array || typeof value === 'bigint'
          ? String(value).slice(0, 80)
          : Array.isArray(value)
            ? value.slice(0, 150)
            : value,
      ).slice(0, 9000)
    : 'cannot be read'
}

function certificateParts({ result }: Scanned, item: string): string[] {
  if (!/-sig(?:nature)?-|-secret-/.test(item) || !result.certificates.length) return []
  return [heading('CERTIFICATES'), JSON.stringify(result.certificates, null, 1)]
}

function manifestParts(source: Package, context: RuleContext | null, path: string | undefined): string[] {
  if (!('manifest' in source) || !source.manifest) return []
  const lines = axmlText(source.manifest, (id) => context?.resources?.nameOf(id)).split('\n')
  return [heading('MANIFEST', path ?? ''), lines.slice(0, MANIFEST_LINES).join('\n')]
}

function infoParts(source: Package): string[] {
  if (source.kind !== 'ipa') return []
  return [heading('INFO.PLIST'), JSON.stringify(plistJson(source.facts.info.node), null, 1).slice(0, 8000)]
}
