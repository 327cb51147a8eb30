import type { CodeLocation } from '../../dex/program.ts'
import { isUnknownPacker } from '../code-gaps.ts'
import { descriptorOf, dotted } from '../evidence/locations.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isFinance } from './application-type.ts'
import { callsIn, callsTo, classCalls, isOwn, numberArgument } from './code.ts'
import { entryHit, evidenceHit, wholeHit } from './hits.ts'
import { isGenerated, worthProtecting } from './little-to-protect.ts'
import { byteEntropy } from './mask.ts'
import {
  type CodeContext,
  codeRule,
  type Hit,
  manifestRule,
  notApplicable,
  notAssessed,
  type Outcome,
  type Rule,
  type RuleTable,
  text,
} from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const RAISED: Record<FindingLevel, FindingLevel> = { info: 'low', low: 'middle', middle: 'high', high: 'high' }
const PROTECTING_SDKS = [
  'rootbeer',
  'talsec',
  'everisk',
  'promon',
  'wultra',
  'build38',
  'vkey',
  'dx-risk',
  'yidun-risk',
  'smantifraud',
  'tongdun',
  'ali-jaq',
  'tersafe',
]

/** Asks whether a protection is missing; `found` says what shows that it is there. Money raises the level by one. */
function missing(
  level: FindingLevel,
  detail: Text,
  found: (context: CodeContext) => boolean | readonly CodeLocation[],
): Rule {
  return manifestRule((context): Outcome => {
    if (context.packer && isUnknownPacker(context.packer))
      return notAssessed('未知加固，无法判断其提供的防护', 'an unknown packer: what it protects against is not known')
    if (context.packer)
      return {
        verdict: 'pass',
        reason: text(`由加固提供（${context.packer.zh}）`, `provided by the packer (${context.packer.en})`),
      }
    const empty = withoutCode(context)
    if (empty) return empty
    const shown = found(context as CodeContext)
    if (shown === true) return []
    if (shown !== false && shown.length) return { hits: [], looked: shown }
    if (isFinance(context)) return [wholeHit(context, 'missing', detail, RAISED[level])]
    if (level !== 'middle') return [wholeHit(context, 'missing', detail, level)]
    return [wholeHit(context, 'missing', ...worthProtecting(context, detail, 'package'))]
  })
}

/** Packers that leave the code readable check the files of the package all the same. */
const unlessPackerParts = (rule: Rule): Rule => ({
  needs: rule.needs,
  check: (context) => {
    const part = context.packer ? undefined : context.sdks.find(({ category }) => category === 'packer')
    return part
      ? notAssessed(
          `包中有加固组件（${part.name.zh}），无法判断其提供的防护`,
          `parts of a packer (${part.name.en}) are there: what they protect against is not known`,
        )
      : rule.check(context)
  },
})

const hasSdk = (context: RuleContext, ...ids: readonly string[]): boolean =>
  context.sdks.some(({ id }) => ids.includes(id))
/** Where own code loads such a string; true where a native library holds one. */
function textLocations(context: RuleContext, pattern: RegExp): true | readonly CodeLocation[] {
  const found = context.texts.pieces.filter((piece) => pattern.test(piece.text))
  const locations = found.flatMap(({ constant }) => constant?.locations ?? [])
  const own = locations.filter(({ method }) => context.ownerOf(method.owner).kind !== 'sdk')
  return own.length || !found.some(({ source }) => source === 'native') ? own : true
}

/** The first of several that shows something. */
function firstOf(...shown: readonly (() => boolean | readonly CodeLocation[])[]): boolean | readonly CodeLocation[] {
  for (const look of shown) {
    const found = look()
    if (found === true || (found !== false && found.length)) return found
  }
  return false
}

const importsAny = (context: RuleContext, ...names: readonly string[]): boolean =>
  context.natives.some(({ elf }) => elf?.imports.some(({ name }) => names.includes(name)))

const ROOT_MARKS =
  /\/s?x?bin\/su\b|^su$|Superuser\.apk|com\.topjohnwu\.magisk|eu\.chainfire\.supersu|test-keys|com\.noshufou\.android\.su|magisk|\/system\/(?:x?bin|app)\/(?:busybox|Superuser)/i
const EMULATOR_MARKS =
  /goldfish|ranchu|generic_x86|vbox86|\bnox\b|bluestacks|ttVM|microvirt|genymotion|google_sdk|Android SDK built for x86|sdk_gphone/i

/** Own code that compares what the build says of the device. */
const comparedBuildFields = (context: CodeContext): readonly CodeLocation[] =>
  ['FINGERPRINT', 'MODEL', 'MANUFACTURER', 'HARDWARE', 'PRODUCT', 'BRAND', 'DEVICE']
    .flatMap((name) => context.program.fieldUses(`Landroid/os/Build;->${name}`))
    .filter(
      (use) =>
        !use.write &&
        isOwn(context, use) &&
        callsIn(context.program, use.method, 'String;->contains(', 'String;->startsWith('),
    )

export const protectionRules: RuleTable = {
  'android-no-packer': {
    needs: ['manifest'],
    check: (context) => {
      if (context.packer || context.sdks.some(({ category }) => category === 'packer')) return []
      if (encryptedDex(context)) return []
      const empty = context.codeGap ? null : withoutCode(context)
      if (empty) return empty
      const detail = text('未发现加固', 'no packer was found')
      return [
        isFinance(context)
          ? wholeHit(context, 'no packer', detail, 'high')
          : wholeHit(context, 'no packer', ...worthProtecting(context, detail, 'code')),
      ]
    },
  },

  'android-no-obfuscation': codeRule((context) => {
    if (context.packer)
      return notApplicable(`代码由加固隐藏（${context.packer.zh}）`, `the packer hides the code (${context.packer.en})`)
    const empty = withoutCode(context)
    if (empty) return empty
    if (context.obfuscated >= 0.2) return []
    const share = Math.round(context.obfuscated * 100)
    const names = readableNames(context)
    if (!names)
      return notAssessed(
        '除清单声明的组件外没有自有类，组件的类名必须保留',
        'there are no own classes but the components of the manifest, whose names have to stay',
      )
    const detail = text(
      `自有类中仅 ${share}% 使用短名，可读的如 ${names}`,
      `${share}% of own classes have shortened names; readable are ${names}`,
    )
    return [
      isFinance(context)
        ? wholeHit(context, 'readable names', detail, 'high')
        : wholeHit(context, 'readable names', ...worthProtecting(context, detail, 'names')),
    ]
  }),

  'android-no-root-detect': missing(
    'low',
    text(
      '自有代码、原生库与防护 SDK 均无 root 检测',
      'neither own code nor native libraries nor a protecting SDK look for root',
    ),
    (context) =>
      firstOf(
        () => textLocations(context, ROOT_MARKS),
        () => callsTo(context, 'Lcom/scottyab/rootbeer/RootBeer;->isRooted'),
        () => hasSdk(context, ...PROTECTING_SDKS),
      ),
  ),

  'android-no-emulator-detect': missing(
    'low',
    text(
      '自有代码、原生库与防护 SDK 均无模拟器检测',
      'neither own code nor native libraries nor a protecting SDK look for emulators',
    ),
    (context) =>
      firstOf(
        () => textLocations(context, EMULATOR_MARKS),
        () => comparedBuildFields(context),
        () => hasSdk(context, ...PROTECTING_SDKS),
      ),
  ),

  'android-no-debugger-detect': missing('low', text('没有反调试', 'nothing looks for a debugger'), (context) =>
    firstOf(
      () =>
        callsTo(context, 'Landroid/os/Debug;->isDebuggerConnected(', 'Landroid/os/Debug;->waitingForDebugger(').filter(
          (call) => isOwn(context, call),
        ),
      () => textLocations(context, /TracerPid/),
      () => hasSdk(context, ...PROTECTING_SDKS) || importsAny(context, 'ptrace'),
    ),
  ),

  'android-no-hook-detect': missing(
    'low',
    text('没有注入框架检测', 'nothing looks for hooking frameworks'),
    (context) =>
      firstOf(
        () =>
          textLocations(
            context,
            /de\.robv\.android\.xposed|XposedBridge|frida|27042|libsubstrate|com\.saurik\.substrate|LSPosed|gum-js-loop/i,
          ),
        () => hasSdk(context, ...PROTECTING_SDKS),
      ),
  ),

  'android-no-signature-check': missing(
    'middle',
    text('没有签名自校验', 'nothing checks its own signature'),
    (context) =>
      callsTo(context, 'Landroid/content/pm/PackageManager;->getPackageInfo(').some((call) => {
        const { program } = context
        const flags = numberArgument(program, call, 2) ?? 0
        if (!isOwn(context, call) || !(flags & (0x40 | 0x08000000))) return false
        const own = program.argument(call, 1)
        const asksItself =
          own.kind === 'call'
            ? own.callee.includes('->getPackageName(')
            : own.kind !== 'string' || own.value === context.facts?.package?.value
        return (
          asksItself &&
          classCalls(
            program,
            call.method.owner,
            'MessageDigest;->',
            'Signature;->hashCode(',
            'Signature;->toCharsString(',
            'Signature;->toByteArray(',
            'Signature;->equals(',
          )
        )
      }) ||
      context.natives.some(({ texts }) =>
        ['getPackageInfo', 'signatures'].every((name) => texts.some(({ value }) => value === name)),
      ),
  ),

  'android-no-integrity-check': unlessPackerParts(
    missing(
      'low',
      text('没有文件完整性校验', 'nothing checks its own files'),
      (context) =>
        hasSdk(context, 'play-integrity') ||
        callsTo(context, 'Ljava/util/zip/ZipEntry;->getCrc(').some((call) => isOwn(context, call)) ||
        callsTo(context, 'Landroid/content/Context;->getPackageCodePath(', 'L*;->getPackageCodePath(').some(
          (call) =>
            isOwn(context, call) && classCalls(context.program, call.method.owner, 'MessageDigest;->', 'ZipFile;->'),
        ) ||
        context.program
          .fieldUses('Landroid/content/pm/ApplicationInfo;->sourceDir')
          .some(
            (use) =>
              isOwn(context, use) &&
              classCalls(context.program, use.method.owner, 'MessageDigest;->', 'ZipFile;->getEntry('),
          ),
    ),
  ),

  'android-no-attestation': missing(
    'info',
    text('没有设备证明', 'no device attestation'),
    (context) =>
      hasSdk(context, 'play-integrity', 'safetynet') ||
      callsTo(
        context,
        'Lcom/google/android/gms/safetynet/SafetyNetClient;->attest',
        'Lcom/huawei/hms/support/api/safetydetect/*',
        'Landroid/security/keystore/KeyGenParameterSpec$Builder;->setAttestationChallenge(',
      ).length > 0,
  ),

  'android-no-resource-protect': { needs: ['archive'], check: readableScripts },

  'android-no-multi-instance-detect': missing(
    'info',
    text('没有多开检测', 'nothing looks for virtual spaces'),
    (context) =>
      firstOf(
        () =>
          textLocations(
            context,
            /\/data\/user(?:\/|_de)|com\.lbe\.parallel|com\.excelliance|io\.virtualapp|com\.qihoo\.magic/i,
          ),
        () => hasSdk(context, ...PROTECTING_SDKS),
      ),
  ),

  'android-debug-info-residue': codeRule((context) => {
    const files = new Map<string, number>()
    let own = 0
    let kept = 0
    for (const found of context.program.classes()) {
      if (context.ownerOf(found.descriptor).kind === 'sdk' || isGenerated(found)) continue
      own++
      if (!found.sourceFile) continue
      kept++
      files.set(found.sourceFile, (files.get(found.sourceFile) ?? 0) + 1)
    }
    if (own === 0 || kept / own <= 0.5 || (files.size === 1 && own > 1)) return []
    const share = Math.round((kept / own) * 100)
    const shown = [...files.keys()].slice(0, SHOWN_NAMES).join(', ')
    return [
      wholeHit(
        context,
        'source files',
        text(
          `${own} 个自有类中 ${kept} 个（${share}%）保留源文件名，如 ${shown}`,
          `${kept} of ${own} own classes (${share}%) keep the name of their source file, such as ${shown}`,
        ),
      ),
    ]
  }),

  'android-repackaged-marks': { needs: ['archive'], check: repackagedMarks },
}

const SHOWN_NAMES = 5

/** A few own classes that keep their names; those of the manifest have to, so others tell more. */
function readableNames(context: CodeContext): string {
  const declared = new Set(context.facts?.components.map(({ name }) => descriptorOf(name)) ?? [])
  const names: string[] = []
  const generated: string[] = []
  for (const found of context.program.classes()) {
    if (names.length >= SHOWN_NAMES) break
    const { descriptor } = found
    if (declared.has(descriptor) || context.ownerOf(descriptor).kind !== 'own') continue
    // A class for resources under its name is a mark of a build that shortened nothing.
    if (isGenerated(found)) generated.push(dotted(descriptor))
    else if (!descriptor.includes('$') && /\/\w{3,};$/.test(descriptor)) names.push(dotted(descriptor))
  }
  return (names.length ? names : generated.slice(0, 2)).join(', ')
}

/** Why nothing can be said of the protection of code; null where there is code besides what the build generates. */
function withoutCode({ program }: RuleContext): Outcome | null {
  if (!program?.classCount) return notApplicable('包中没有代码', 'the package holds no code')
  for (const found of program.classes()) if (!isGenerated(found)) return null
  return notApplicable(
    '包中只有构建生成的类（R、BuildConfig）',
    'the package holds only classes that the build generates (R, BuildConfig)',
  )
}

/** A large entry without any order in it, beside a small dex: what an unknown packer may look like. */
function encryptedDex(context: RuleContext): boolean {
  const application = context.facts?.applicationClass?.value
  if (!application || !context.program || context.program.classCount > 60) return false
  return context.entries.some(({ name, size }) => {
    if (!/^assets\/[^.]*$|\.(?:dat|bin|jar|dex|data)$/i.test(name) || size < 200_000) return false
    const bytes = context.read(name)?.subarray(0, 65_536)
    return bytes !== undefined && byteEntropy(bytes) > 7.9
  })
}

const SCRIPT = /^assets\/.*(?:\.js|\.lua|\.jsbundle|index\.android\.bundle)$/i
const HERMES = Buffer.from([0xc6, 0x1f, 0xbc, 0x03])

function readableScripts(context: RuleContext): readonly Hit[] {
  return context.entries.flatMap(({ name, size }): Hit[] => {
    if (!SCRIPT.test(name) || size < 200) return []
    const bytes = context.read(name)?.subarray(0, 32_768)
    if (!bytes || HERMES.equals(bytes.subarray(0, 4)) || bytes.subarray(0, 4).includes(0)) return []
    const printable = bytes.reduce(
      (sum, byte) =>
        sum + (byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127) || byte >= 0x80 ? 1 : 0),
      0,
    )
    if (printable / bytes.length < 0.95 || byteEntropy(bytes) > 7) return []
    const lines = Buffer.from(bytes).toString('latin1').split('\n')
    const minified = bytes.length / lines.length > 400
    return [
      entryHit(
        name,
        name,
        text(`脚本 ${name} 可直接阅读`, `script ${name} can be read as it is`),
        minified ? 'info' : undefined,
      ),
    ]
  })
}

function repackagedMarks(context: RuleContext): readonly Hit[] {
  const hits: Hit[] = []
  for (const { name } of context.entries)
    if (
      /(?:^|\/)lspatch\/config\.json$|^assets\/xposed_init$|lib[^/]*frida-gadget[^/]*\.so$|^assets\/lspatch\//i.test(
        name,
      ) &&
      !(name === 'assets/xposed_init' && isXposedModule(context))
    )
      hits.push(entryHit(name, name, text(`重打包痕迹 ${name}`, `a mark of repackaging: ${name}`)))
  const application = context.facts?.applicationClass
  if (application && /^(?:bin\.mt\.|com\.kdlbs\.|cc\.binmt\.)/.test(application.value))
    hits.push(
      evidenceHit(
        application.evidence,
        application.value,
        text(`应用类被替换为 ${application.value}`, `the application class is ${application.value}`),
      ),
    )
  return hits
}

const isXposedModule = (context: RuleContext): boolean =>
  context.facts?.metaData.some(({ name }) => name === 'xposedmodule') ?? false
