import { FormatError } from '../../bytes/format-error.ts'
import type { Program } from '../../dex/program.ts'
import { readZip } from '../../zip/read-zip.ts'
import { namesSdk } from '../content/policy-text.ts'
import { JAVA_COMPONENTS, PRECONDITIONS, type Precondition } from '../dependencies/known-vulnerabilities.ts'
import { olderThan } from '../dependencies/versions.ts'
import { descriptorOf, dotted } from '../evidence/locations.ts'
import type { Text } from '../result/scan-result.ts'
import { callsTo } from './code.ts'
import { effectsOf } from './effects.ts'
import { classHit, entryHit } from './hits.ts'
import { type CodeContext, type Hit, notAssessed, type Rule, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'
import { isDecided } from './unused-code.ts'

const needsNothing = (check: Rule['check']): Rule => ({ needs: ['archive'], check })

export const componentVersionRules: RuleTable = {
  'android-sdk-known-vuln': needsNothing((context) =>
    JAVA_COMPONENTS.flatMap(({ sdk, component, artifact }): Hit[] =>
      context.dependencies.flatMap(({ group, name, version, technique, vulnerabilities, places }): Hit[] => {
        if (`${group}:${name}` !== artifact || !vulnerabilities.length) return []
        const { program, ownerOf } = context
        const source =
          technique === 'binary-analysis' ? versionSource(program, version, sdk, ownerOf) : places[0]?.entry
        const lacks = vulnerabilities.map((cve) => lackOf(context, cve))
        const isIdle = lacks.every((one) => one !== undefined)
        const reason = (language: 'zh' | 'en', sign: string) =>
          isIdle ? lacks.map((one) => `${sign}${one![language]}`).join('') : ''
        return [
          {
            location: places[0] as Hit['location'],
            owner: { kind: 'sdk', sdk },
            key: `${component} ${vulnerabilities.join(' ')}`,
            detail: text(
              `${component} ${version}：${vulnerabilities.join('、')}${source ? `；版本取自 ${source}` : ''}${reason('zh', '；')}`,
              `${component} ${version}: ${vulnerabilities.join(', ')}${source ? `; the version is that of ${source}` : ''}${reason('en', '; ')}`,
            ),
            ...(isIdle && { level: 'low' as const }),
          },
        ]
      }),
    ),
  ),

  'android-sdk-log4shell': needsNothing((context) => {
    const JNDI = 'org/apache/logging/log4j/core/lookup/JndiLookup'
    const found = context.program?.classOf(`L${JNDI};`)
    const detail = text('包含 JndiLookup', 'holds JndiLookup')
    if (found) return [{ ...classHit(found, 'JndiLookup', detail), owner: { kind: 'sdk', sdk: 'log4j' } }]
    return context.entries.flatMap(({ name, size }): Hit[] => {
      if (!/\.jar$/i.test(name) || size > 32 * 2 ** 20) return []
      return hasEntryNamed(context.read(name), `${JNDI}.class`) ? [entryHit(name, 'JndiLookup', detail)] : []
    })
  }),

  'android-sdk-outdated-okhttp': needsNothing((context) => {
    const seen = new Set<string>()
    return context.texts.pieces.flatMap((piece): Hit[] => {
      const version = piece.source === 'code' ? /^okhttp\/(\d+\.\d+\.\d+)/.exec(piece.text)?.[1] : undefined
      if (!version || seen.has(version)) return []
      seen.add(version)
      const lts = /^3\.1[24]\./.test(version)
      const old = olderThan(version, '3.12.0') || (version.startsWith('4.') && olderThan(version, '4.9.2'))
      if (!old && !lts) return []
      const detail = text(`OkHttp ${version}`, `OkHttp ${version}`)
      return [
        {
          location: { entry: piece.entry, offset: piece.offset },
          owner: { kind: 'sdk', sdk: 'okhttp' },
          key: `okhttp ${version}`,
          detail,
          ...(lts && { level: 'info' as const }),
        },
      ]
    })
  }),

  'android-sdk-hotfix': needsNothing((context) =>
    context.sdks.flatMap((sdk): Hit[] =>
      sdk.category === 'hotfix' || sdk.category === 'hook_plugin'
        ? [
            {
              location: sdk.evidence[0] ?? { entry: '', offset: -1 },
              owner: { kind: 'sdk', sdk: sdk.id },
              key: sdk.id,
              detail: text(`热修复或插件框架 ${sdk.name.zh}`, `hotfix or plugin framework ${sdk.name.en}`),
            },
          ]
        : [],
    ),
  ),

  'android-sdk-undisclosed': needsNothing((context) => {
    const policy = context.policyText
    if (policy === null)
      return notAssessed('未提供隐私政策文本，请填写问卷', 'no policy text was given: the questionnaire asks for it')
    const given = { text: policy, location: null, html: null }
    return context.sdks.flatMap((sdk): Hit[] =>
      sdk.personalInfo.length && !namesSdk(given, { names: [sdk.name.zh, sdk.name.en, sdk.vendor] })
        ? [
            {
              location: sdk.evidence[0] ?? { entry: '', offset: -1 },
              owner: { kind: 'sdk', sdk: sdk.id },
              key: sdk.id,
              detail: text(`隐私政策未提及 ${sdk.name.zh}`, `the privacy policy does not name ${sdk.name.en}`),
            },
          ]
        : [],
    )
  }),
}

/** What a vulnerability needs and the code of the package does not do; undefined where it does, where that is not known, or cannot be seen. */
function lackOf(context: RuleContext, cve: string): Text | undefined {
  const needs = PRECONDITIONS.find((one) => one.cve === cve)
  if (!context.program || !needs) return undefined
  const code = context as CodeContext
  if (!isDecided(code)) return undefined
  if (needs.has.length && !needs.has.some((begin) => hasMethod(code.program, begin)))
    return needs.client && isIdleWhereRenamed(code, needs.client) ? needs.client.lacks : undefined
  if (!needs.calls.length) return effectsOf(code).namesTls ? undefined : needs.lacks
  const isMet = callsTo(code, ...needs.calls).some(
    ({ method }) => !needs.except.some((begin) => method.owner.startsWith(begin)),
  )
  if (!isMet) return needs.lacks
  return needs.client && !isStarted(code, needs.client) ? needs.client.lacks : undefined
}

/** Does code outside of a library call, extend or name what it starts with, or is a component of it declared? */
function isStarted({ program, facts }: CodeContext, { of, common, components }: NonNullable<Precondition['client']>) {
  const [isCommon, isCommonComponent] = [new RegExp(common), new RegExp(components)]
  const isClient = (descriptor: string) => descriptor.startsWith(of) && !isCommon.test(descriptor)
  return (
    program
      .callsTo(`${of}*`)
      .some(({ method, callee }) => !method.owner.startsWith(of) && isClient(callee.slice(0, callee.indexOf('->')))) ||
    [...program.classes()].some(
      ({ descriptor, superclass, interfaces }) =>
        !descriptor.startsWith(of) && [superclass, ...interfaces].some((one) => one && isClient(one)),
    ) ||
    (facts?.components ?? []).some(({ name }) => descriptorOf(name).startsWith(of) && !isCommonComponent.test(name))
  )
}

/**
 * The same where names of the library are shortened, as far as its texts show the classes: does no class beside it, no declared component and
 * no text name a client or what makes one, also through other classes of it, and nothing beside it call what posts?
 */
function isIdleWhereRenamed(code: CodeContext, { sdks, marks, components }: NonNullable<Precondition['client']>) {
  const { program, facts } = code
  const [isLibrary, isCommonComponent] = [new RegExp(sdks), new RegExp(components)]
  const isOf = (descriptor: string) => isLibrary.test(code.ownerOf(descriptor).sdk ?? '')
  const users = (mark: string) => program.stringUses(mark).map(({ method }) => method)
  const bases = users(marks.base).map(({ owner }) => owner)
  const posting = users(marks.posts)
  if (!bases.length || !posting.length) return false
  if (bases.some((base) => [...program.classesNaming(base)].some((other) => !isOf(other)))) return false
  const makers = marks.makers.flatMap((mark) => users(mark).map(({ owner }) => owner))
  const clients = new Set([
    ...bases.flatMap((base) => program.subclassesOf(base).map((one) => one.descriptor)),
    ...makers,
  ])
  for (const client of clients)
    for (const other of program.classesNaming(client)) {
      if (!isOf(other)) return false
      clients.add(other)
    }
  const posts = new Map(posting.map((method) => [method.reference, method]))
  // Callbacks of Android are not followed: what calls them has an object that the library made.
  for (const method of posts.values())
    for (const { method: caller } of program.callsTo(method.reference)) posts.set(caller.reference, caller)
  const declared = new Set((facts?.components ?? []).flatMap(({ name }) => (isCommonComponent.test(name) ? [] : name)))
  return (
    [...posts.values()].every(({ owner }) => isOf(owner)) &&
    [...clients].every(
      (one) =>
        isOf(one) &&
        !declared.has(dotted(one)) &&
        program.stringUses(dotted(one)).every(({ method }) => isOf(method.owner)),
    )
  )
}

/** @param begin of the reference of a method */
const hasMethod = (program: Program, begin: string): boolean =>
  program.classOf(begin.slice(0, begin.indexOf('->')))?.methods.some(({ reference }) => reference.startsWith(begin)) ??
  false

/** The text of code that says the version, with its class. */
function versionSource(
  program: Program | null,
  version: string,
  sdk: string,
  ownerOf: RuleContext['ownerOf'],
): string | undefined {
  for (const { value, locations, fields } of program?.stringConstants() ?? []) {
    if (value !== version && value !== `v${version}` && value !== `${sdk}/${version}`) continue
    const owners = [
      ...fields.map((field) => field.slice(0, field.indexOf('->'))),
      ...locations.map((at) => at.method.owner),
    ]
    const place = owners.find((owner) => ownerOf(owner).sdk === sdk) ?? (value.includes('/') ? owners[0] : undefined)
    if (place) return `"${value}" (${dotted(place)})`
  }
  return undefined
}

function hasEntryNamed(bytes: Uint8Array | null, name: string): boolean {
  if (!bytes) return false
  try {
    return readZip(bytes).byName.has(name)
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}
