import { plistAt, plistFlag, plistText } from '../../plist/plist-node.ts'
import { isFinance, isOneOf } from '../rules/application-type.ts'
import { type Hit, notApplicable, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { binaryRule, codeRule, type IosContext, type IosRuleTable, listRule, ownBinaries } from './ios-context.ts'
import { appHit, binaryHit, callHit, importHit, plistHit } from './ios-hits.ts'

const SENSITIVE_KEY = /pass|pwd|token|secret|session|idcard/i
const SENSITIVE_FORMAT = /token|pass|phone/i
const DATABASES = /^(RLMRealm|FMDatabase|FMDatabaseQueue|MMKV|WCTDatabase|YYKVStorage)$/
const hasSelector = (codes: readonly BinaryCode[], ...names: readonly string[]) =>
  codes.some(({ objc }) => names.some((name) => objc.selectors.has(name)))
const importsAny = (codes: readonly BinaryCode[], ...names: readonly string[]) =>
  codes.some(({ imports }) => names.some((name) => imports.has(name)))

/** Each import of one of these symbols, in any binary. */
const importRule = (symbols: readonly string[], what: (symbol: string) => ReturnType<typeof text>) =>
  binaryRule(({ binaries }) =>
    binaries.flatMap((code) => symbols.flatMap((symbol) => importHit(code, symbol, what(symbol)) ?? [])),
  )

/** A local database in own code. */
function databaseIn(context: IosContext): { code: BinaryCode; name: string; offset: number } | undefined {
  for (const code of ownBinaries(context)) {
    for (const name of ['sqlite3_open', 'sqlite3_open_v2'])
      if (code.imports.has(name)) return { code, name, offset: code.imports.get(name)!.offset }
    const name = [...code.classes].find((one) => DATABASES.test(one))
    if (name) return { code, name, offset: code.objc.classes.find((one) => one.name === name)?.offset ?? -1 }
  }
  return undefined
}

/** Whether any delegate that runs when the application leaves the screen does something to what is shown. */
function coversSnapshot(code: BinaryCode): boolean {
  const leaving =
    /^(applicationDidEnterBackground:|applicationWillResignActive:|sceneDidEnterBackground:|sceneWillResignActive:)$/
  const methods = code.objc.methods.filter(({ selector }) => leaving.test(selector))
  if (methods.some((method) => code.callsIn(method.code).length > 0)) return true
  return [
    'UIApplicationDidEnterBackgroundNotification',
    'UIApplicationWillResignActiveNotification',
    'UISceneDidEnterBackgroundNotification',
    'UISceneWillDeactivateNotification',
  ].some((name) => code.imports.has(name))
}

export const storageRules: IosRuleTable = {
  'ios-keychain-always': importRule(['kSecAttrAccessibleAlways', 'kSecAttrAccessibleAlwaysThisDeviceOnly'], (symbol) =>
    text(`使用 ${symbol}`, `uses ${symbol}`),
  ),

  'ios-keychain-after-first-unlock': binaryRule((context) => {
    const background = context.app.backgroundModes.some(
      ({ value }) => value === 'fetch' || value === 'remote-notification',
    )
    if (background)
      return {
        verdict: 'pass',
        reason: text(
          '应用在后台刷新，需要这些条目',
          'the application refreshes in the background and needs such items',
        ),
      }
    return ownBinaries(context).flatMap(
      (code) =>
        importHit(
          code,
          'kSecAttrAccessibleAfterFirstUnlock',
          text('使用 kSecAttrAccessibleAfterFirstUnlock', 'uses kSecAttrAccessibleAfterFirstUnlock'),
        ) ?? [],
    )
  }),

  'ios-userdefaults-sensitive': codeRule((context) =>
    ownBinaries(context).flatMap((code) =>
      [...code.callsTo('setObject:forKey:'), ...code.callsTo('setValue:forKey:')].flatMap((call): Hit[] => {
        const key = code.textOf(call.arguments[3])
        if (!key || !SENSITIVE_KEY.test(key)) return []
        const defaults = code
          .callsIn(call.function)
          .some(
            ({ callee, offset }) =>
              offset < call.offset && (callee === 'standardUserDefaults' || callee === 'initWithSuiteName:'),
          )
        return defaults ? [callHit(code, call, key, text(`UserDefaults 键 ${key}`, `UserDefaults key ${key}`))] : []
      }),
    ),
  ),

  'ios-file-protection-none': binaryRule(({ binaries, main }) => {
    const imported = binaries.flatMap(
      (code) =>
        importHit(code, 'NSFileProtectionNone', text('使用 NSFileProtectionNone', 'uses NSFileProtectionNone')) ?? [],
    )
    const { signature } = main.image
    const declared = plistText(signature?.entitlements ?? undefined, 'com.apple.developer.default-data-protection')
    if (declared !== 'NSFileProtectionNone' || !signature) return imported
    return [
      ...imported,
      binaryHit(
        main,
        signature.entitlementsAt,
        'entitlement',
        text('权利声明关闭数据保护', 'the entitlement turns data protection off'),
      ),
    ]
  }),

  'ios-pasteboard-general': codeRule((context) => {
    if (hasSelector(ownBinaries(context), 'setItems:options:')) return []
    return ownBinaries(context).flatMap((code) =>
      code.callsTo('generalPasteboard').flatMap((call): Hit[] => {
        const writes = code
          .callsIn(call.function)
          .find(({ callee, offset }) => offset > call.offset && (callee === 'setString:' || callee === 'setItems:'))
        return writes
          ? [
              callHit(
                code,
                writes,
                writes.callee,
                text('写入通用剪贴板且未限定范围与期限', 'writes to the general pasteboard without bounds or expiry'),
              ),
            ]
          : []
      }),
    )
  }),

  'ios-file-sharing': listRule(({ app }) => {
    if (!plistFlag(app.info.node, 'UIFileSharingEnabled')) return []
    const documents = plistAt(app.info.node, 'CFBundleDocumentTypes') !== undefined
    return [
      plistHit(
        app.info,
        ['UIFileSharingEnabled'],
        'file sharing',
        text('文稿目录可由电脑读取', 'the documents folder can be read from a computer'),
        documents ? 'info' : undefined,
      ),
    ]
  }),

  'ios-backup-not-excluded': binaryRule((context) => {
    const database = databaseIn(context)
    if (!database) return notApplicable('没有本地数据库', 'there is no local database')
    if (importsAny(context.binaries, 'NSURLIsExcludedFromBackupKey', 'kCFURLIsExcludedFromBackupKey')) return []
    return [
      binaryHit(
        database.code,
        database.offset,
        database.name,
        text(`使用 ${database.name}，未排除备份`, `uses ${database.name} and excludes nothing from backups`),
      ),
    ]
  }),

  'ios-nslog': codeRule((context) =>
    ownBinaries(context).flatMap((code): Hit[] => {
      const calls = code.callsTo('NSLog')
      const telling = calls.filter((call) => SENSITIVE_FORMAT.test(code.textOf(call.arguments[0]) ?? ''))
      if (telling.length)
        return telling.map((call) =>
          callHit(
            code,
            call,
            code.textOf(call.arguments[0])!,
            text(`NSLog(@"${code.textOf(call.arguments[0])}")`, `NSLog(@"${code.textOf(call.arguments[0])}")`),
            'middle',
          ),
        )
      const imported = importHit(code, 'NSLog', text(`NSLog 调用 ${calls.length} 处`, `${calls.length} calls of NSLog`))
      return imported ? [calls[0] ? callHit(code, calls[0], 'NSLog', imported.detail) : imported] : []
    }),
  ),

  'ios-sqlite-plain': binaryRule((context) => {
    const user = ownBinaries(context).find(
      ({ imports, classes }) =>
        imports.has('sqlite3_open') ||
        imports.has('sqlite3_open_v2') ||
        [...classes].some((name) => /^FMDatabase|^RLMRealm$/.test(name)),
    )
    if (!user) return notApplicable('没有 SQLite 数据库', 'there is no SQLite database')
    const encrypted =
      importsAny(context.binaries, 'sqlite3_key', 'sqlite3_key_v2') ||
      hasSelector(context.binaries, 'setEncryptionKey:', 'setCipherKey:') ||
      context.binaries.some(
        ({ binary, image }) => binary.name === 'SQLCipher' || image.symbols.exports.includes('_sqlite3_key'),
      )
    if (encrypted) return []
    const database = databaseIn(context)
    return [
      binaryHit(user, database?.offset ?? -1, 'plain', text('本地数据库未加密', 'the local database is not encrypted')),
    ]
  }),

  'ios-snapshot-unprotected': codeRule((context) => {
    if (context.binaries.some(coversSnapshot) || hasSelector(context.binaries, 'ignoreSnapshotOnNextApplicationLaunch'))
      return []
    return [
      appHit(
        context,
        'snapshot',
        text('进入后台时未遮盖界面', 'nothing covers the screen on the way to the background'),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'ios-keyboard-cache': codeRule((context) => {
    const login = context.binaries.some(
      ({ classes, strings }) =>
        [...classes].some((name) => /login|signin|password/i.test(name)) ||
        strings.some(({ value }) => /password|登录|密码/i.test(value)),
    )
    if (!login) return notApplicable('没有登录界面', 'there are no login screens')
    if (hasSelector(context.binaries, 'setAutocorrectionType:', 'setSecureTextEntry:') || nibsProtect(context))
      return []
    return [
      appHit(
        context,
        'keyboard cache',
        text('输入框未关闭自动更正或启用安全输入', 'no field turns autocorrection off or is secure'),
      ),
    ]
  }),

  'ios-third-party-keyboard': codeRule((context) => {
    if (!isFinance(context) && !isOneOf(context, 'online_shopping'))
      return notApplicable('仅金融类应用', 'for applications that handle money')
    const decided = context.binaries.some(({ objc }) =>
      objc.methods.some(({ selector }) => selector === 'application:shouldAllowExtensionPointIdentifier:'),
    )
    return decided
      ? []
      : [appHit(context, 'keyboards', text('未禁止第三方键盘', 'third-party keyboards are not refused'))]
  }),
}

/** Interface files that make a field secure. */
function nibsProtect({ inspected }: IosContext): boolean {
  return inspected.entries
    .filter(({ name, size }) => name.endsWith('.nib') && size < 2 ** 20)
    .slice(0, 500)
    .some(({ name }) =>
      /UISecureTextEntry|UIAutocorrectionType/.test(Buffer.from(inspected.read(name) ?? []).toString('latin1')),
    )
}

export const STORAGE_CALLS = [
  'setObject:forKey:',
  'setValue:forKey:',
  'standardUserDefaults',
  'initWithSuiteName:',
  'generalPasteboard',
  'setString:',
  'setItems:',
  'NSLog',
  'addSubview:',
  'setHidden:',
  'makeKeyAndVisible',
  'presentViewController:animated:completion:',
  'insertSubview:atIndex:',
  'bringSubviewToFront:',
  'setAlpha:',
]
