import { dylibName, type MachoImage } from '../../macho/macho-facts.ts'
import { plistFlag, plistText } from '../../plist/plist-node.ts'
import { type Hit, notApplicable, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { binaryRule, type IosRuleTable, listRule, ownBinaries } from './ios-context.ts'
import { binaryHit, importHit, plistHit } from './ios-hits.ts'

const EXECUTABLE = 2
const MOST_LOCALS = 50
/** From this version of the code directory on the hardened runtime's fields are signed. */
const CURRENT_DIRECTORY = 0x20400
const SAFE_RPATH = /^(@executable_path|@loader_path|\/usr\/lib\/swift)(\/|$)/
const INJECTED =
  /^(FridaGadget|frida-.*|libfrida.*|libsubstrate|CydiaSubstrate|libsubstitute.*|substitute|SideloadLib|libloader|ellekit|libellekit|cycript|libcycript)(\.dylib)?$/i
const UNSAFE = ['strcpy', 'strcat', 'sprintf', 'vsprintf', 'gets', 'sscanf', 'system', 'popen']

/** Only Swift: no class of the application is one of Objective-C. */
function isPureSwift({ image, objc, imports }: BinaryCode): boolean {
  if (!image.swift) return false
  const foreign = objc.classes.filter(({ name }) => !name.includes('.') && !name.startsWith('_Tt'))
  return foreign.length === 0 && !imports.has('objc_msgSendSuper2')
}

const isFlutter = ({ binary }: BinaryCode): boolean => binary.name === 'App' && binary.role === 'framework'

/** Application that Xcode makes to run tests, and what it loads from the image for developers. */
const RUNNER = /\.xctrunner$/
const DEVELOPER_IMAGE = /^\/(?:System\/)?Developer\/(?!.*\.\.)/

export const binaryRules: IosRuleTable = {
  'ios-no-pie': binaryRule(({ main }) =>
    main.binary.macho.images
      .filter(({ fileType, pie }) => fileType === EXECUTABLE && !pie)
      .map((image) =>
        binaryHit(
          main,
          image.offset,
          image.cpu,
          text(`${image.cpu} 映像未启用 PIE`, `the ${image.cpu} image is no PIE`),
        ),
      ),
  ),

  'ios-no-stack-canary': binaryRule(({ main }) => {
    if (isPureSwift(main) || isFlutter(main))
      return notApplicable('纯 Swift 代码没有栈缓冲区', 'pure Swift code has no stack buffers')
    if (main.image.stackCanary) return []
    return [
      binaryHit(
        main,
        main.image.offset,
        'no canary',
        text(
          '未导入 ___stack_chk_fail 与 ___stack_chk_guard',
          '___stack_chk_fail and ___stack_chk_guard are not imported',
        ),
      ),
    ]
  }),

  'ios-no-arc': binaryRule(({ main }) => {
    const objective = [...main.imports.keys()].some((name) => name.startsWith('objc_msgSend'))
    if (!objective || isPureSwift(main)) return notApplicable('不是 Objective-C 程序', 'no Objective-C program')
    if (main.image.arc) return []
    return [
      binaryHit(
        main,
        main.image.offset,
        'no arc',
        text('未导入 ARC 运行时函数', 'no function of the ARC runtime is imported'),
      ),
    ]
  }),

  'ios-no-encryption': binaryRule(({ main }) => {
    if (main.binary.encrypted)
      return {
        verdict: 'pass',
        reason: text(
          'FairPlay 已加密：代码无法分析，请上传解密后的构建',
          'encrypted by FairPlay: the code cannot be analysed, upload a decrypted build',
        ),
      }
    const at = main.image.encryption?.evidence ?? main.image.offset
    return [
      binaryHit(
        main,
        at,
        'not encrypted',
        text(
          'cryptid 为 0：发布前构建与企业分发即如此',
          'cryptid is 0, as in builds before release and enterprise distribution',
        ),
      ),
    ]
  }),

  'ios-symbols-not-stripped': binaryRule((context) =>
    ownBinaries(context).flatMap((code): Hit[] => {
      const { locals } = code.image.symbols
      if (locals <= MOST_LOCALS) return []
      return [
        binaryHit(
          code,
          code.image.offset,
          'symbols',
          text(`${locals} 个本地或调试符号`, `${locals} local or debug symbols`),
        ),
      ]
    }),
  ),

  'ios-rpath-unsafe': binaryRule((context) =>
    ownBinaries(context).flatMap((code) =>
      code.image.rpaths
        .filter(({ path }) => !SAFE_RPATH.test(path))
        .map(({ path, offset }) =>
          RUNNER.test(plistText(context.app.info?.node, 'CFBundleIdentifier') ?? '') && DEVELOPER_IMAGE.test(path)
            ? binaryHit(
                code,
                offset,
                path,
                text(
                  `rpath ${path}：XCTest 运行器使用 Apple 的只读开发者镜像`,
                  `rpath ${path}: the read-only developer image of Apple, for an XCTest runner`,
                ),
                'info',
              )
            : binaryHit(code, offset, path, text(`rpath ${path}`, `rpath ${path}`)),
        ),
    ),
  ),

  'ios-code-signature-old': binaryRule(({ main }) => {
    const { signature } = main.image
    if (!signature) return notApplicable('主程序没有代码签名', 'the main executable carries no code signature')
    const { directories } = signature
    const strong = directories.some(({ hash }) => hash !== 'sha1')
    if (strong && directories.length > 1) return []
    const newest = Math.max(...directories.map(({ version }) => version))
    if (strong && newest >= CURRENT_DIRECTORY) return []
    const hex = `0x${newest.toString(16)}`
    return [
      binaryHit(
        main,
        signature.offset,
        strong ? 'version' : 'sha1',
        text(
          strong ? `CodeDirectory 版本 ${hex}` : `仅有 SHA-1 的 CodeDirectory（版本 ${hex}）`,
          strong ? `code directory of version ${hex}` : `only SHA-1 in the code directory (version ${hex})`,
        ),
      ),
    ]
  }),

  'ios-frameworks-unsigned': binaryRule(({ main, binaries }) => {
    const team = teamOf(main.image)
    if (!main.image.signature)
      return notApplicable('主程序没有代码签名', 'the main executable carries no code signature')
    return binaries
      .filter(
        ({ binary }) => (binary.role === 'framework' || binary.role === 'dylib') && !/^libswift/.test(binary.name),
      )
      .flatMap((code): Hit[] => {
        const own = teamOf(code.image)
        if (!code.image.signature)
          return [
            binaryHit(
              code,
              code.image.offset,
              'unsigned',
              text(`${code.binary.name} 没有签名`, `${code.binary.name} is not signed`),
            ),
          ]
        if (!team || own === team) return []
        return [
          binaryHit(
            code,
            code.image.signature.offset,
            `team ${own ?? ''}`,
            text(
              `${code.binary.name} 的团队 ${own ?? '（无）'}，应用为 ${team}`,
              `team of ${code.binary.name} is ${own ?? '(none)'}, that of the application ${team}`,
            ),
          ),
        ]
      })
  }),

  'ios-injected-dylib': binaryRule(({ main, app }) => {
    if (plistFlag(app.provision?.entitlements ?? undefined, 'get-task-allow') && app.provision?.kind === 'development')
      return notApplicable('开发签名的调试构建', 'a debug build, signed for development')
    return main.image.dylibs
      .filter(
        ({ name, kind }) =>
          kind !== 'id' &&
          (INJECTED.test(dylibName(name)) ||
            /^@(executable_path|loader_path)\/(?!Frameworks\/)[^/]+\.dylib$/.test(name)),
      )
      .map(({ name, offset }) => binaryHit(main, offset, name, text(`加载 ${name}`, `loads ${name}`)))
  }),

  'ios-dangerous-functions': binaryRule(({ binaries }) =>
    binaries.flatMap((code) =>
      UNSAFE.flatMap(
        (name) =>
          importHit(
            code,
            name,
            text(`导入 ${name}`, `imports ${name}`),
            code.owner.kind === 'own' ? undefined : 'info',
          ) ?? [],
      ),
    ),
  ),

  'ios-min-os-low': listRule(({ app }) => {
    const version = app.minOs?.value
    const major = version ? Number.parseInt(version, 10) : Number.NaN
    if (Number.isNaN(major)) return notApplicable('未写最低系统版本', 'no minimum version is written')
    if (major >= 15) return []
    return [
      plistHit(
        app.info,
        ['MinimumOSVersion'],
        'minimum',
        text(`最低 iOS ${version}`, `runs from iOS ${version} on`),
        major < 12 ? 'middle' : 'low',
      ),
    ]
  }),
}

const teamOf = ({ signature }: MachoImage): string | null =>
  signature?.directories.find(({ team }) => team)?.team ?? null
