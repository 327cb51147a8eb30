import type { IosPackage } from '../package/package.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { ImageTools } from './input/content-input.ts'
import type { ScanChoices, ScanWatch } from './input/scan-choices.ts'
import { iosDependencies } from './ios/dependencies.ts'
import { inspectIos } from './ios/inspect-ios.ts'
import type { IosContext } from './ios/ios-context.ts'
import { IOS_ITEMS, IOS_PACK, iosItems } from './ios/ios-items.ts'
import { summariseIos } from './ios/ios-summary.ts'
import { summariseCertificate } from './package-summary.ts'
import { judgePermissions } from './permissions/judge-permissions.ts'
import { findPermissionUses } from './permissions/permission-uses.ts'
import type { DomainResult, Note, ScanResult } from './result/scan-result.ts'
import { scoreItems } from './result/score-items.ts'
import { askedItems, countLevels, judgeTexts, stepsOf } from './scan-steps.ts'

const MOST_DOMAINS = 5_000

/** Examines an iOS application as `scan` does an Android one, with the same promises. */
export function scanIos(source: IosPackage, choices: ScanChoices, watch: ScanWatch, images: ImageTools): ScanResult {
  const step = stepsOf(watch)
  step('manifest', 0)
  step('code', 0)
  const context = inspectIos(source, choices)
  const { inspected, sdks, main } = context
  const items = askedItems(IOS_ITEMS, choices)
  const results = iosItems(items, context, choices.levels, (done) => step('rules', done / items.length))
  const permissions = judgePermissions(inspected, findPermissionUses(inspected), choices.applicationTypes)
  const { privacy, content } = judgeTexts(choices, step, images, {
    inspected,
    permissions,
    sdks,
    items: results,
    accesses: () => [],
  })
  return {
    schema: 'appwarden-scan/1',
    package: summariseIos(source, context),
    rules: { ...IOS_PACK, items: items.length },
    kinds: choices.kinds,
    score: scoreItems(results),
    counts: countLevels(results),
    items: results,
    certificates: signerFirst(main?.image.signature?.certificates ?? []).map(summariseCertificate),
    permissions,
    components: context.app.extensions.map((name) => ({
      kind: 'extension',
      name,
      exported: true,
      permission: null,
      owner: null,
    })),
    sdks,
    dependencies: iosDependencies(context),
    domains: domainsOf(context),
    privacy,
    content: content.hits,
    libraries: context.binaries
      .slice(1)
      .map(({ entry, image, binary }) => ({ entry, abi: image.cpu, name: binary.name })),
    coverage: coverageOf(context),
    notAssessed: [...notesOf(context), ...content.notes],
  }
}

/** The signer's own certificate before those that vouch for it. */
function signerFirst(certificates: readonly Certificate[]): Certificate[] {
  const isSigner = ({ subject }: Certificate) =>
    !certificates.some((other) => other.issuer === subject && other.subject !== subject)
  return [...certificates].sort((a, b) => Number(isSigner(b)) - Number(isSigner(a)))
}

function domainsOf({ texts }: IosContext): DomainResult[] {
  const found = new Map<string, DomainResult>()
  for (const { value, entry, offset, path, owner } of texts) {
    const match = /^(https?|wss?):\/\/([a-z0-9](?:[a-z0-9-]{0,62}\.){1,10}[a-z]{2,24})(?![\w.-])/i.exec(value)
    const host = match?.[2]?.toLowerCase()
    if (!match || !host || /^(www\.w3\.org|(www\.)?apple\.com|schemas\..*)$/.test(host)) continue
    const cleartext = match[1]!.length < 5 && /^(http|ws)$/i.test(match[1]!)
    const before = found.get(host)
    if (before) {
      if (cleartext && !before.cleartext) found.set(host, { ...before, cleartext })
    } else if (found.size < MOST_DOMAINS)
      found.set(host, { host, cleartext, owner: owner?.sdk ?? null, place: { entry, offset, ...(path && { path }) } })
  }
  return [...found.values()].sort((a, b) => (a.host < b.host ? -1 : 1))
}

/** Classes and methods are those of Objective-C; entries count what holds code or says what the application is. */
function coverageOf({ binaries, inspected, app }: IosContext): ScanResult['coverage'] {
  const classes = binaries.reduce((sum, { objc }) => sum + objc.classes.length, 0)
  const methods = binaries.reduce((sum, { objc }) => sum + objc.methods.length, 0)
  return {
    classes,
    classesRead: classes,
    methods,
    methodsRead: binaries.reduce((sum, { objc, followed }) => sum + (followed ? objc.methods.length : 0), 0),
    entries: inspected.entries.length,
    entriesRead: inspected.entries.length - app.notes.filter(({ key }) => key.endsWith('-unreadable')).length,
    ownPrefixes: app.bundleId ? [app.bundleId.value] : [],
    obfuscated: 0,
  }
}

/** What the reader of the package says in English alone. */
const NOTES_ZH: Readonly<Record<string, string>> = {
  'payload-place': 'Payload 不在最上层，任何设备都不会安装',
  'no-executable': '缺少 Info.plist 指定的可执行文件',
  'several-apps': '含有多个应用，只读取第一个',
  'binary-limit': '超出数量限制的二进制文件未读取',
}

function notesOf({ app, main }: IosContext): Note[] {
  const notes: Note[] = app.notes.map(({ key, entry, detail }) => ({
    key,
    text: { zh: `${entry}：${NOTES_ZH[key] ?? `无法读取（${detail}）`}`, en: `${entry}: ${detail}` },
  }))
  if (main?.binary.encrypted)
    notes.push({
      key: 'encrypted',
      text: {
        zh: '主程序已由 FairPlay 加密，代码与字符串未评估',
        en: 'FairPlay has encrypted the main executable: its code and texts were not assessed',
      },
    })
  else if (main && !main.followed)
    notes.push({
      key: 'not-arm64',
      text: {
        zh: `没有 arm64 映像（${main.image.cpu}），调用的参数未评估`,
        en: `there is no arm64 image (${main.image.cpu}): arguments of calls were not assessed`,
      },
    })
  return notes
}
