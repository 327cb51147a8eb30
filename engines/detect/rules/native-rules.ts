import type { ElfFacts } from '../../elf/elf-facts.ts'
import type { Owner } from '../input/inspected-package.ts'
import { entryHit } from './hits.ts'
import { type Hit, notApplicable, type Outcome, type Rule, type RuleTable, text } from './rule.ts'
import type { NativeCode, RuleContext } from './rule-context.ts'

type Library = NativeCode & { readonly elf: ElfFacts }

/** Code whose compiler does not use what these rules ask for. */
const OTHER_COMPILER =
  /^lib(?:app|flutter|gojni|go|rust\w*|monodroid|mono[\w.-]*|hermes\w*|jsc|jsi|v8\w*|nodejs|node|lua\w*)\.so$/i
/** Libraries that come ready-made with engines and runtimes. */
const KNOWN_ENGINE =
  /^lib(?:c\+\+_shared|gnustl_shared|stlport_shared|flutter|app|hermes[\w-]*|jsc|jsi\w*|react\w*|fbjni|folly\w*|yoga|unity|il2cpp|main|mono[\w.-]*|UE4|UnrealEngine|cocos2d\w*|cocos2djs|godot_android|opencv_java\d*|avcodec[\w-]*|avformat[\w-]*|avutil[\w-]*|swresample[\w-]*|swscale[\w-]*|ijk\w+|ffmpeg|sqlcipher|sqliteX?|crypto|ssl|curl|realm[\w-]*|mmkv|conscrypt\w*|tensorflowlite\w*|ncnn|MNN\w*|glide-webp|webp\w*|gifimage|pl_droidsonroids_gif|image_processing_util_jni|barhopper_v\d|androidx\.\w+|datastore_shared_counter|crashlytics[\w-]*|sentry[\w-]*|bugsnag[\w-]*|breakpad\w*|BugSnag|xcrash|weex\w*|imagepipeline|static-webp|native-filters|native-imagetranscoder|glog\w*|double-conversion|toolChecker|tool-checker|jnidispatch|z|png|jpeg\w*|opus\w*|speex\w*|BaiduMapSDK\w*|AMapSDK\w*|locSDK\w*|msaoaid\w*|tbs|mttwebview\w*|amapnsq\w*)[\w.-]*\.so$/i

/** A rule that asks each library once, whatever ABIs it comes for. */
function each(judge: (library: Library, context: RuleContext) => Omit<Hit, 'location'> | undefined): Rule {
  return {
    needs: ['native'],
    check: (context): Outcome => {
      const libraries = context.natives.filter(
        (library): library is Library => library.elf !== null && !library.repeated,
      )
      return libraries.flatMap((library): Hit[] => {
        const found = judge(library, context)
        return found
          ? [{ location: { entry: library.entry, offset: 0 }, owner: libraryOwner(library, context), ...found }]
          : []
      })
    },
  }
}

function libraryOwner(library: NativeCode, context: RuleContext): Hit['owner'] {
  const sdk = context.sdks.find(({ evidence }) => evidence.some(({ entry }) => entry.endsWith(`/${library.name}`)))
  if (sdk) return { kind: 'sdk', sdk: sdk.id }
  if (KNOWN_ENGINE.test(library.name)) return { kind: 'sdk', sdk: null }
  // A library that comes by itself is its maker's own.
  if (!context.facts) return { kind: 'own', sdk: null }
  return ownerOfMethods(library, context)
}

/** Whose native methods it has, if it names them; those of several tell nothing. */
function ownerOfMethods({ elf }: NativeCode, context: RuleContext): Owner {
  const owners = new Map<string, Owner>()
  for (const { name } of elf?.exports ?? []) {
    const found = name.startsWith('Java_') && context.program?.classOf(classOfExport(name))
    if (!found) continue
    const owner = context.ownerOf(found.descriptor)
    owners.set(`${owner.kind} ${owner.sdk ?? ''}`, owner)
  }
  const [first, ...others] = owners.values()
  return first && others.length === 0 ? first : { kind: 'unknown', sdk: null }
}

/** `Lcom/foo/Bar;` of `Java_com_foo_Bar_open`: `__` begins the signature, `_1` is an underscore (JNI specification, names of methods). */
function classOfExport(name: string): string {
  const [member = ''] = name.slice('Java_'.length).split('__')
  const plain = member.replaceAll('_1', '\0')
  return `L${plain
    .slice(0, Math.max(0, plain.lastIndexOf('_')))
    .replaceAll('_', '/')
    .replaceAll('\0', '_')};`
}

const isOwn = (library: NativeCode, context: RuleContext): boolean => libraryOwner(library, context)?.kind !== 'sdk'
const imports = ({ elf }: Library, fits: (name: string) => boolean): string[] =>
  elf.imports.flatMap(({ name }) => (fits(name) ? [name] : []))

const UNSAFE = new Set(['strcpy', 'strcat', 'sprintf', 'vsprintf', 'gets', 'system', 'popen', 'mktemp', 'tmpnam'])
const FORTIFIED = new Set(['memcpy', 'strcpy', 'sprintf', 'strcat', 'vsprintf', 'strncpy', 'memmove', 'memset'])

const hasDebug = (elf: ElfFacts): boolean => elf.sections.some(({ name }) => name.startsWith('.debug_'))

export const nativeRules: RuleTable = {
  'android-elf-no-canary': each((library, context) => {
    const { elf, name } = library
    if (library.codeSize <= 4096 || OTHER_COMPILER.test(name) || elf.stackCanary.value || elf.imports.length === 0)
      return undefined
    return {
      key: name,
      detail: text(`${name} 没有栈保护`, `${name} has no stack protector`),
      ...(!isOwn(library, context) && { level: 'info' as const }),
    }
  }),

  'android-elf-no-nx': each(({ elf, name }) => {
    if (elf.noExecutableStack.value) return undefined
    return elf.noExecutableStack.offset >= 0
      ? { key: name, detail: text(`${name} 的栈可执行`, `${name} has an executable stack`) }
      : { key: name, level: 'info', detail: text(`${name} 未声明栈属性`, `${name} does not declare its stack`) }
  }),

  'android-elf-no-pie': each(({ elf, name }) => {
    if (elf.type !== 'shared')
      return { key: name, detail: text(`${name} 不是位置无关的`, `${name} is not position independent`) }
    return elf.textRelocations.value
      ? {
          key: `${name} textrel`,
          level: 'middle',
          detail: text(`${name} 含代码重定位`, `${name} has text relocations`),
        }
      : undefined
  }),

  'android-elf-no-relro': each((library, context) => {
    const { elf, name } = library
    if (elf.relro.value === 'full' || OTHER_COMPILER.test(name) || !elf.needed.length || context.packer)
      return undefined
    return elf.relro.value === 'none'
      ? { key: name, detail: text(`${name} 没有 RELRO`, `${name} has no RELRO`) }
      : { key: name, level: 'info', detail: text(`${name} 仅部分 RELRO`, `${name} has partial RELRO`) }
  }),

  'android-elf-no-fortify': each((library) => {
    const plain = imports(library, (symbol) => FORTIFIED.has(symbol))
    if (
      !plain.length ||
      imports(library, (symbol) => /^__\w+_chk$/.test(symbol) && symbol !== '__stack_chk_fail').length
    )
      return undefined
    return {
      key: library.name,
      detail: text(
        `${library.name} 未使用 FORTIFY（${plain.join('、')}）`,
        `${library.name} does not use FORTIFY (${plain.join(', ')})`,
      ),
    }
  }),

  'android-elf-unsafe-functions': each((library, context) => {
    const unsafe = imports(library, (symbol) => UNSAFE.has(symbol))
    if (!unsafe.length) return undefined
    const level = !isOwn(library, context)
      ? 'info'
      : unsafe.some((symbol) => symbol === 'system' || symbol === 'popen')
        ? 'middle'
        : undefined
    return {
      key: `${library.name} ${unsafe.join(' ')}`,
      detail: text(`${library.name} 使用 ${unsafe.join('、')}`, `${library.name} imports ${unsafe.join(', ')}`),
      ...(level && { level }),
    }
  }),

  'android-elf-not-stripped': each((library, context) => {
    const { elf, name } = library
    if (!isOwn(library, context) || (elf.stripped && !hasDebug(elf))) return undefined
    const what = hasDebug(elf) ? text('调试信息', 'debug information') : text('符号表', 'its symbol table')
    return { key: name, detail: text(`${name} 保留${what.zh}`, `${name} keeps ${what.en}`) }
  }),

  'android-elf-rpath': each(({ elf, name }) => {
    const odd = [elf.rpath, elf.runpath]
      .flatMap((path) => path?.value ?? [])
      .filter((path) => path && !path.split(':').every((part) => part.startsWith('$ORIGIN')))
    return odd.length
      ? { key: name, detail: text(`${name} 的 RPATH 为 ${odd.join(':')}`, `${name} has RPATH ${odd.join(':')}`) }
      : undefined
  }),

  'android-elf-no-so-protect': each((library, context) => {
    const { elf, name } = library
    if (!isOwn(library, context) || context.packer || !elf.exports.some((symbol) => symbol.name.startsWith('Java_')))
      return undefined
    if (
      library.codeEntropy === null ||
      library.codeEntropy >= 7.2 ||
      library.texts.some(({ value }) => /Obfuscator-LLVM|ollvm|hikari/i.test(value))
    )
      return undefined
    return {
      key: name,
      detail: text(`${name} 导出 JNI 函数且代码未加密`, `${name} exports JNI functions and its code is plain`),
    }
  }),

  'android-elf-no-64bit': {
    needs: ['manifest'],
    check: (context): Outcome => {
      const abis = new Set(context.natives.map(({ abi }) => abi))
      if (!abis.size) return notApplicable('没有原生库', 'there are no native libraries')
      const arm = [...abis].some((abi) => abi.startsWith('armeabi'))
      if (!arm || abis.has('arm64-v8a')) return []
      const first = context.natives.find(({ abi }) => abi.startsWith('armeabi'))!
      return [entryHit(first.entry, 'no arm64', text('只有 32 位 ARM 库', 'there are 32-bit ARM libraries only'))]
    },
  },

  'android-elf-known-vuln-component': each((library, context) => {
    const found = context.dependencies.filter(
      ({ group, vulnerabilities, places }) =>
        !group && vulnerabilities.length > 0 && places.some(({ entry }) => entry === library.entry),
    )
    if (!found.length) return undefined
    const list = (separator: string) =>
      found
        .map(({ name, version, vulnerabilities }) => `${name} ${version} (${vulnerabilities.join(', ')})`)
        .join(separator)
    return {
      key: found.map(({ name, vulnerabilities }) => `${name} ${vulnerabilities.join(' ')}`).join(' '),
      detail: text(`${library.name} 含 ${list('；')}`, `${library.name} holds ${list('; ')}`),
    }
  }),
}
