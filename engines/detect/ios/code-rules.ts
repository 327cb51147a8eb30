import type { FindingLevel } from '../result/scan-result.ts'
import { type Hit, notApplicable, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { binaryRule, codeRule, type IosContext, type IosRuleTable, listRule, ownBinaries } from './ios-context.ts'
import { binaryHit, callHit, importHit, plistHit } from './ios-hits.ts'

const POLICY = 'evaluatePolicy:localizedReason:reply:'
const CALLBACK_SCHEME = /^(wx|tencent|wb|alipay|fb|QQ)/i
const SHARE_SCHEME =
  /^(weixin|wechat|wx|mqq|qq|tim|tencent|wb|weibo|sinaweibo|alipay|alipays|upp?ay|uppay|fb|instagram|twitter|whatsapp|line|dingtalk|taobao|tbopen|sms|tel|mailto|itms|comgooglemaps|iosamap|baidumap|qqmap|bestpay|cydia)/i
const OPEN_URL = new Set([
  'application:openURL:options:',
  'application:openURL:sourceApplication:annotation:',
  'application:handleOpenURL:',
  'scene:openURLContexts:',
])
const URL_CHECKS = [
  'host',
  'scheme',
  'sourceApplication',
  'hasPrefix:',
  'isEqualToString:',
  'bundleIdentifier',
  'UIApplicationOpenURLOptionsSourceApplicationKey',
]
const PRIVATE = /LSApplicationWorkspace|allInstalledApplications|_UIApplicationSystem|\/PrivateFrameworks\//
const HOTFIX = /^(JPEngine|JSPatch|RolloutDynamic|WaxFunction)$/
const DEBUG_TOOLS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['FLEX', /^FLEX(Manager)?$/],
  ['Reveal', /^(RevealServer|IBARevealServer|IBARevealLoader)$/],
  ['DoraemonKit', /^Doraemon(Kit|Manager)$/],
  ['LookinServer', /^(LookinServer|LKS_ConnectionManager)$/],
]

const selectorHit = (
  code: BinaryCode,
  selector: string,
  detail: ReturnType<typeof text>,
  level?: FindingLevel,
): Hit[] => {
  const call = code.callsTo(selector)[0]
  if (call) return [callHit(code, call, selector, detail, level)]
  const at = code.objc.selectors.get(selector)
  return at === undefined ? [] : [binaryHit(code, at, selector, detail, level)]
}

/** Methods that get what another device, application or server sent. */
const RECEIVES =
  /didReceive|didFinish|didRead|[rR]esponse|[dD]ownload|openURL|[pP]asteboard|fromPeer|WatchConnectivity|didUpdateValue|[hH]andle(?:Open|Message|URL|Push|Remote)/

const isDebugClass = (code: BinaryCode, call: Parameters<BinaryCode['methodOf']>[0]): boolean =>
  /debug/i.test(code.methodOf(call)?.owner ?? '')

/** Does a handler of addresses look at where they come from? */
function checksAddress(code: BinaryCode): boolean {
  const handlers = code.objc.methods.filter(({ selector }) => OPEN_URL.has(selector))
  return handlers.every(({ code: at }) => code.callsIn(at).some(({ callee }) => URL_CHECKS.includes(callee)))
}

export const codeRules: IosRuleTable = {
  'ios-localauth-event-only': codeRule((context) => {
    const users = ownBinaries(context).filter(({ objc }) => objc.selectors.has(POLICY))
    if (!users.length) return notApplicable('未使用生物识别', 'biometrics are not used')
    if (context.binaries.some(({ imports }) => imports.has('SecAccessControlCreateWithFlags'))) return []
    return users.flatMap((code) =>
      selectorHit(code, POLICY, text('生物识别结果未绑定钥匙串', 'the biometric result is bound to no keychain item')),
    )
  }),

  'ios-localauth-passcode-fallback': codeRule((context) =>
    ownBinaries(context).flatMap((code) => [
      ...code
        .callsTo(POLICY)
        .filter((call) => call.arguments[2] === 2)
        .map((call) =>
          callHit(code, call, 'policy', text('允许设备密码代替生物识别', 'the passcode may stand in for biometrics')),
        ),
      ...code
        .callsTo('SecAccessControlCreateWithFlags')
        .filter((call) => call.arguments[2] !== undefined && call.arguments[2] % 2 === 1)
        .map((call) =>
          callHit(
            code,
            call,
            'user presence',
            text(
              'kSecAccessControlUserPresence 允许设备密码',
              'kSecAccessControlUserPresence lets the passcode stand in',
            ),
          ),
        ),
    ]),
  ),

  'ios-uiwebview': binaryRule(({ binaries }) =>
    binaries.flatMap(
      (code) => importHit(code, 'OBJC_CLASS_$_UIWebView', text('引用 UIWebView', 'refers to UIWebView')) ?? [],
    ),
  ),

  'ios-wkwebview-file-access': codeRule(({ binaries }) =>
    binaries.flatMap((code) =>
      code.strings
        .filter(({ value }) => value === 'allowFileAccessFromFileURLs' || value === 'allowUniversalAccessFromFileURLs')
        .map(({ value, offset }) =>
          binaryHit(code, offset, value, text(`以键值设置 ${value}`, `sets ${value} by key`)),
        ),
    ),
  ),

  'ios-wkwebview-js-bridge': codeRule((context) =>
    ownBinaries(context).flatMap((code): Hit[] => {
      if (!code.objc.selectors.has('loadRequest:')) return []
      const calls = code.callsTo('addScriptMessageHandler:name:')
      const named = calls.flatMap((call) => {
        const name = code.textOf(call.arguments[3])
        return name ? [callHit(code, call, name, text(`消息处理器 ${name}`, `message handler ${name}`))] : []
      })
      return named.length
        ? named
        : selectorHit(
            code,
            'addScriptMessageHandler:name:',
            text('向网页注册消息处理器', 'registers a message handler for pages'),
          )
    }),
  ),

  'ios-webview-inspectable': codeRule((context) =>
    ownBinaries(context).flatMap((code) =>
      code
        .callsTo('setInspectable:')
        .filter((call) => call.arguments[2] === 1 && !isDebugClass(code, call))
        .map((call) => callHit(code, call, 'inspectable', text('setInspectable: YES', 'setInspectable: YES'))),
    ),
  ),

  'ios-url-scheme': listRule(({ app, main }) => {
    const open = app.urlSchemes.filter(({ value }) => !CALLBACK_SCHEME.test(value))
    const handled = main?.followed && main.objc.methods.some(({ selector }) => OPEN_URL.has(selector))
    const unchecked = handled && !checksAddress(main)
    return open.map(({ value, evidence }) => ({
      location: { entry: evidence.entry, offset: evidence.offset, ...(evidence.path && { path: evidence.path }) },
      owner: { kind: 'own' as const, sdk: null },
      key: value,
      detail: unchecked
        ? text(`${value}:// 的处理未检查来源与主机`, `what handles ${value}:// checks neither source nor host`)
        : text(`注册 ${value}://`, `registers ${value}://`),
      level: unchecked ? ('middle' as const) : ('info' as const),
    }))
  }),

  'ios-queries-schemes-many': listRule(({ app }) => {
    const count = app.querySchemes.length
    const others = app.querySchemes.filter(({ value }) => !SHARE_SCHEME.test(value))
    if (count <= 50 && !(others.length > 0 && count >= 20)) return []
    return [
      plistHit(
        app.info,
        ['LSApplicationQueriesSchemes'],
        'queries',
        text(
          `探测 ${count} 个应用，其中 ${others.length} 个非分享与支付`,
          `asks for ${count} applications, ${others.length} of them neither for sharing nor for paying`,
        ),
        count > 50 ? undefined : 'info',
      ),
    ]
  }),

  'ios-private-api': codeRule((context) =>
    ownBinaries(context).flatMap((code): Hit[] => {
      const texts = code.strings
        .filter(({ value }) => PRIVATE.test(value) && !value.includes('WebKit'))
        .map(({ value, offset }) => [value, offset] as const)
      const selectors = [...code.objc.selectors].filter(([value]) => PRIVATE.test(value))
      const classes = [...code.imports]
        .filter(([name]) => PRIVATE.test(name))
        .map(([name, { offset }]) => [name, offset] as const)
      return [...texts, ...selectors, ...classes].map(([value, offset]) =>
        binaryHit(
          code,
          offset,
          value.slice(0, 200),
          text(`私有接口 ${value.slice(0, 200)}`, `private interface ${value.slice(0, 200)}`),
        ),
      )
    }),
  ),

  'ios-unarchive-insecure': codeRule((context) =>
    ownBinaries(context).flatMap((code) =>
      ['unarchiveObjectWithData:', 'unarchiveObjectWithFile:'].flatMap((selector): Hit[] => {
        const replaced = code.objc.selectors.has('unarchivedObjectOfClass:fromData:error:')
        const calls = code.callsTo(selector)
        if (replaced && !calls.length) return []
        const receiving = calls.find((call) => RECEIVES.test(code.methodOf(call)?.selector ?? ''))
        if (receiving) return [callHit(code, receiving, selector, text(`使用 ${selector}`, `uses ${selector}`))]
        // Most applications read back what they stored themselves.
        return selectorHit(
          code,
          selector,
          text(`使用 ${selector}，未见外来数据`, `uses ${selector}; that the data are foreign was not seen`),
          'low',
        )
      }),
    ),
  ),

  'ios-hotfix-jspatch': codeRule((context) =>
    classesLike(context, HOTFIX, (name) => text(`动态修复类 ${name}`, `hot-fix class ${name}`)),
  ),

  'ios-debug-tools': codeRule((context) =>
    DEBUG_TOOLS.flatMap(([tool, pattern]) => {
      const bundled = context.binaries.filter(({ binary }) => binary.role !== 'main' && pattern.test(binary.name))
      return [
        ...bundled.map((code) => binaryHit(code, code.image.offset, tool, text(`内置 ${tool}`, `bundles ${tool}`))),
        ...(bundled.length
          ? []
          : classesLike(context, pattern, () => text(`内置 ${tool}`, `bundles ${tool}`)).slice(0, 1)),
      ]
    }),
  ),
}

/** Classes that a binary defines. */
function classesLike(
  { binaries }: IosContext,
  pattern: RegExp,
  detail: (name: string) => ReturnType<typeof text>,
): Hit[] {
  return binaries.flatMap((code) =>
    code.objc.classes
      .filter(({ name }) => pattern.test(name))
      .map(({ name, offset }) => binaryHit(code, offset, name, detail(name))),
  )
}

export const CODE_CALLS = [
  POLICY,
  'SecAccessControlCreateWithFlags',
  'addScriptMessageHandler:name:',
  'setInspectable:',
  ...URL_CHECKS,
  'unarchiveObjectWithData:',
  'unarchiveObjectWithFile:',
]
