import type { CallSite, MethodFacts } from '../../dex/program.ts'
import {
  callHits,
  callsIn,
  callsTo,
  classCalls,
  isOwn,
  numberArgument,
  outerClass,
  overrides,
  stringArgument,
} from './code.ts'
import { codeHit, entryHit, methodHit, wholeHit } from './hits.ts'
import { FROM_OUTSIDE, isWebOpen } from './intent-rules.ts'
import { appRule, type CodeContext, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { passes, traceArgument } from './trace.ts'

const SETTINGS = 'Landroid/webkit/WebSettings;->'
const WEB_VIEW = 'Landroid/webkit/WebView;->'
const X5 = 'Lcom/tencent/smtt/sdk/'
const LOCAL_HTTP = /^http:\/\/(?:localhost|127\.0\.0\.1|10\.0\.2\.2|0\.0\.0\.0)(?:[:/]|$)/i
const setsTrue = (context: CodeContext) => (call: CallSite) => numberArgument(context.program, call, 1) === 1

const settings = (name: string): string[] => [`${SETTINGS}${name}(Z)V`, `${X5}WebSettings;->${name}(Z)V`]
const loads = (context: CodeContext): CallSite[] =>
  callsTo(context, `${WEB_VIEW}loadUrl(`, `${WEB_VIEW}loadDataWithBaseURL(`, `${X5}WebView;->loadUrl(`)
const enablesScript = (context: CodeContext): CallSite[] =>
  callsTo(context, ...settings('setJavaScriptEnabled')).filter(setsTrue(context))

/** What a load may show beyond the application's own pages: a constant http address or what an intent brings. */
function untrusted(context: CodeContext, call: CallSite): 'http' | 'intent' | undefined {
  const trace = traceArgument(context.program, call, 1)
  for (const value of trace.strings) if (/^http:\/\//i.test(value) && !LOCAL_HTTP.test(value)) return 'http'
  return passes(trace, ...FROM_OUTSIDE, 'Intent;->getData') ? 'intent' : undefined
}

/** A load of `javascript:` text runs a script in the page that is there and loads none. */
const runsScript = (context: CodeContext, call: CallSite): boolean =>
  [...traceArgument(context.program, call, 1, 0).strings].some((value) => /^\s*javascript:/i.test(value))

/** Does the class of a call load pages from files? */
const loadsFile = (context: CodeContext, of: CallSite): boolean =>
  loads(context).some((load) => {
    if (!sameClass(load, of)) return false
    const trace = traceArgument(context.program, load, 1)
    return (
      [...trace.strings].some((value) => /^file:/i.test(value)) || passes(trace, 'Uri;->fromFile(', 'File;->toURI(')
    )
  })

const sameClass = (a: CallSite, b: CallSite): boolean => outerClass(a.method.owner) === outerClass(b.method.owner)

const untrustedIn = (context: CodeContext, of: CallSite): boolean =>
  loads(context).some((load) => sameClass(load, of) && untrusted(context, load) !== undefined)

const externalLoadIn = (context: CodeContext, of: CallSite): boolean =>
  loads(context).some((load) => {
    if (!sameClass(load, of)) return false
    const constant = stringArgument(context.program, load, 1)
    if (constant === undefined) return !runsScript(context, load)
    return !/^(?:https:|file:|about:|data:|javascript:)/i.test(constant)
  })

/** Does the method of a call look at the Android version, itself or by a method that answers yes or no? */
function asksForVersion({ program }: CodeContext, call: CallSite): boolean {
  const readers = new Set(
    program.fieldUses('Landroid/os/Build$VERSION;->SDK_INT').map(({ method }) => method.reference),
  )
  return (
    readers.has(call.method.reference) ||
    program.callsFrom(call.method).some(({ callee }) => callee.endsWith(')Z') && readers.has(callee))
  )
}

export const webviewRules: RuleTable = {
  'android-webview-js-enabled': codeRule((context) =>
    callHits(context, settings('setJavaScriptEnabled'), (call) =>
      setsTrue(context)(call)
        ? { what: 'true', ...(isOwn(context, call) && untrustedIn(context, call) && { level: 'low' as const }) }
        : false,
    ),
  ),

  'android-webview-js-interface-rce': codeRule((context) =>
    context.minSdk < 17 || context.targetSdk < 17
      ? callHits(context, [`${WEB_VIEW}addJavascriptInterface(`], (call) => ({
          what: stringArgument(context.program, call, 2) ?? '',
          ...(asksForVersion(context, call) && { level: 'info' as const }),
        }))
      : [],
  ),

  'android-webview-js-bridge-exposed': codeRule((context) => {
    if (context.minSdk < 17 || context.targetSdk < 17) return []
    return callHits(context, [`${WEB_VIEW}addJavascriptInterface(`], (call) => {
      const name = stringArgument(context.program, call, 2) ?? ''
      const made = context.program.argument(call, 1)
      const bridge = made.kind === 'new' ? context.program.classOf(made.descriptor) : undefined
      const strong = bridge?.methods.some(
        (method) =>
          method.annotations.some((annotation) => annotation.includes('JavascriptInterface')) &&
          callsIn(context.program, method, ...BRIDGE_POWERS),
      )
      return strong || untrustedIn(context, call) ? { what: name } : false
    })
  }),

  'android-webview-system-js-interfaces': appRule((context) => {
    if (context.minSdk >= 17) return []
    const removed = callsTo(context, `${WEB_VIEW}removeJavascriptInterface(`).flatMap(
      (call) => stringArgument(context.program, call, 1) ?? [],
    )
    if (['searchBoxJavaBridge_', 'accessibility', 'accessibilityTraversal'].every((name) => removed.includes(name)))
      return []
    return callHits(context, [`${WEB_VIEW}loadUrl(`], (call) => {
      if (!isOwn(context, call)) return false
      return runsScript(context, call) ? { what: 'javascript:', level: 'low' } : true
    })
  }),

  'android-webview-ssl-error-proceed': codeRule((context) => sslErrors(context)),

  'android-webview-file-access': codeRule((context) => {
    const hits = callHits(context, settings('setAllowFileAccess'), (call) =>
      setsTrue(context)(call) ? { what: 'true' } : false,
    )
    if (context.targetSdk >= 30 || !context.facts) return hits
    const set = new Set(
      callsTo(context, ...settings('setAllowFileAccess')).map(({ method }) => outerClass(method.owner)),
    )
    for (const call of enablesScript(context))
      if (isOwn(context, call) && !set.has(outerClass(call.method.owner)) && externalLoadIn(context, call))
        hits.push(
          codeHit(
            call,
            'default file access',
            text(
              '未关闭文件访问（默认开启），且启用了脚本并加载外部地址',
              'file access is left on by default, with JavaScript and outside addresses',
            ),
          ),
        )
    return hits
  }),

  'android-webview-universal-file-access': codeRule((context) =>
    callHits(
      context,
      [...settings('setAllowUniversalAccessFromFileURLs'), ...settings('setAllowFileAccessFromFileURLs')],
      (call) => (setsTrue(context)(call) ? { what: 'true' } : false),
    ).concat(
      context.minSdk < 16
        ? enablesScript(context)
            .filter(
              (call) =>
                isOwn(context, call) &&
                !classCalls(context.program, call.method.owner, 'FromFileURLs(') &&
                loadsFile(context, call),
            )
            .map((call) =>
              codeHit(
                call,
                'default',
                text(
                  '加载文件页面；在 API 16 以下的系统上默认允许（minSdk 允许这些系统）',
                  'loads pages from files; allowed by default on systems below API 16, which minSdk admits',
                ),
                'low',
              ),
            )
        : [],
    ),
  ),

  'android-webview-content-access': codeRule((context) => {
    const off = new Set(
      callsTo(context, ...settings('setAllowContentAccess'))
        .filter((call) => !setsTrue(context)(call))
        .map(({ method }) => outerClass(method.owner)),
    )
    return enablesScript(context)
      .filter((call) => !off.has(outerClass(call.method.owner)))
      .map((call) => {
        const wide = callsTo(context, ...settings('setAllowUniversalAccessFromFileURLs')).some(
          (other) => sameClass(other, call) && setsTrue(context)(other),
        )
        return codeHit(
          call,
          'content access',
          text('启用脚本且未关闭 content 访问', 'JavaScript is on and content access is not turned off'),
          wide ? 'low' : 'info',
        )
      })
  }),

  'android-webview-save-password': codeRule((context) => {
    if (context.minSdk >= 18) return []
    const hits = callHits(context, settings('setSavePassword'), (call) =>
      setsTrue(context)(call) ? { what: 'true' } : false,
    )
    const set = new Set(callsTo(context, ...settings('setSavePassword')).map(({ method }) => outerClass(method.owner)))
    for (const call of enablesScript(context))
      if (isOwn(context, call) && !set.has(outerClass(call.method.owner)))
        hits.push(
          codeHit(
            call,
            'default save password',
            text('minSdk 低于 18 且未关闭保存密码', 'saving passwords is on by default below Android 18'),
          ),
        )
    return hits
  }),

  'android-webview-plugins': codeRule((context) =>
    callHits(
      context,
      [`${SETTINGS}setPluginState(`, `${X5}WebSettings;->setPluginState(`, ...settings('setPluginsEnabled')],
      (call) => {
        const value = context.program.argument(call, 1)
        const on =
          value.kind === 'field'
            ? /PluginState;->ON/.test(value.field)
            : value.kind === 'number' && Number(value.value) === 1
        if (!on || !isOwn(context, call)) return false
        // Android 4.4 removed plugins.
        return context.minSdk >= 19 ? 'info' : true
      },
    ),
  ),

  'android-webview-external-page': codeRule((context) =>
    callHits(context, ['Landroid/webkit/WebView;->loadUrl('], (call) => {
      if (!isOwn(context, call)) return false
      const trace = traceArgument(context.program, call, 1)
      if (passes(trace, 'Environment;->getExternalStorage')) return { what: 'getExternalStorageDirectory' }
      const path = [...trace.strings].find((value) =>
        /^(?:file:\/\/)?\/(?:sdcard|storage\/emulated|mnt\/sdcard)\//.test(value),
      )
      return path ? { what: path.slice(0, 60) } : false
    }),
  ),

  'android-webview-debug': codeRule((context) =>
    callHits(
      context,
      [`${WEB_VIEW}setWebContentsDebuggingEnabled(Z)V`, `${X5}WebView;->setWebContentsDebuggingEnabled(Z)V`],
      (call) => (setsTrue(context)(call) && !guardedByDebug(context, call.method) ? { what: 'true' } : false),
    ),
  ),

  'android-webview-mixed-content': codeRule((context) => {
    const hits = callHits(
      context,
      [`${SETTINGS}setMixedContentMode(I)V`, `${X5}WebSettings;->setMixedContentMode(I)V`],
      (call) => (numberArgument(context.program, call, 1) === 0 ? { what: 'MIXED_CONTENT_ALWAYS_ALLOW' } : false),
    )
    if (context.targetSdk < 21 && enablesScript(context).some((call) => isOwn(context, call)))
      hits.push(
        wholeHit(
          context,
          'default',
          text('targetSdk 低于 21，默认允许混合内容', 'mixed content is allowed by default below target SDK 21'),
        ),
      )
    return hits
  }),

  'android-webview-url-from-intent': appRule((context) => ({
    hits: loads(context).flatMap((call): Hit[] => {
      if (!isWebOpen(context, call.method) || callsIn(context.program, call.method, '->getHost(')) return []
      const base = call.callee.includes('loadDataWithBaseURL') ? [1, 2] : [1]
      const found = base.some((n) => {
        const trace = traceArgument(context.program, call, n)
        return passes(trace, ...FROM_OUTSIDE, 'Intent;->getData') && !passes(trace, '->getHost(')
      })
      return found
        ? [
            codeHit(
              call,
              'intent url',
              text(
                '加载来自外部 Intent 的地址，未比较主机',
                'loads an address from an outside intent and compares no host',
              ),
            ),
          ]
        : []
    }),
    looked: loads(context),
  })),

  'android-webview-url-check-weak': codeRule((context) => weakUrlChecks(context)),

  'android-webview-js-from-http': codeRule((context) => {
    const hits = loads(context).flatMap((call): Hit[] => {
      const url = stringArgument(context.program, call, 1)
      if (!url || !/^http:\/\//i.test(url) || LOCAL_HTTP.test(url)) return []
      // A base address: what the page refers to by relative names comes from there.
      return call.callee.includes('loadDataWithBaseURL')
        ? [codeHit(call, url, text(`以 ${url} 为基地址显示内容`, `shows content with the base address ${url}`), 'low')]
        : [codeHit(call, url, text(`加载 ${url}`, `loads ${url}`))]
    })
    for (const piece of context.texts.pieces) {
      if (piece.source !== 'file' || !/\.html?$/i.test(piece.entry)) continue
      const match = /src="(http:\/\/[^"\s]{4,200})"/i.exec(piece.text)
      if (match && !LOCAL_HTTP.test(match[1]!))
        hits.push(
          entryHit(
            piece.entry,
            match[1]!,
            text(`页面引用 ${match[1]}`, `page refers to ${match[1]}`),
            undefined,
            piece.offset,
          ),
        )
    }
    return hits
  }),

  'android-webview-geolocation-auto': codeRule((context) =>
    overrideHits(context, 'Landroid/webkit/WebChromeClient;', 'onGeolocationPermissionsShowPrompt', (method) => {
      const { program } = context
      const invoke = program
        .callsFrom(method)
        .find(({ callee }) => callee.includes('GeolocationPermissions$Callback;->invoke('))
      if (!invoke || numberArgument(program, invoke, 2) !== 1 || asksFirst(context, method)) return undefined
      return text('无条件同意网页定位', 'grants location to any page')
    }),
  ),

  'android-webview-permission-grant-all': codeRule((context) =>
    overrideHits(context, 'Landroid/webkit/WebChromeClient;', 'onPermissionRequest', (method) => {
      const { program } = context
      const grant = program.callsFrom(method).find(({ callee }) => callee.includes('PermissionRequest;->grant('))
      if (!grant || asksFirst(context, method) || callsIn(program, method, 'PermissionRequest;->getOrigin('))
        return undefined
      return passes(traceArgument(program, grant, 1), 'PermissionRequest;->getResources(')
        ? text('无条件同意网页请求的全部权限', 'grants whatever a page asks for')
        : undefined
    }),
  ),
}

const BRIDGE_POWERS = [
  'Ljava/io/File',
  'Ljava/lang/Runtime;->exec',
  'ContactsContract',
  'SmsManager;->',
  'ContentResolver;->query',
  'SharedPreferences;->getString',
  'AccountManager;->',
  'TelephonyManager;->get',
]

/** Does the method ask the user, or compare, before it answers? */
function asksFirst({ program }: CodeContext, method: MethodFacts): boolean {
  return callsIn(
    program,
    method,
    'AlertDialog',
    'DialogFragment',
    '->getHost(',
    'Ljava/lang/String;->equals(',
    'Ljava/lang/String;->endsWith(',
    'Ljava/util/Set;->contains(',
    'Ljava/util/List;->contains(',
    'checkSelfPermission',
  )
}

/** Is the method's work bound to a debug build? Compilers drop constant conditions, so a check that is left reads a field or the flags. */
export function guardedByDebug(context: CodeContext, method: MethodFacts): boolean {
  const reads = (pattern: string) =>
    context.program.fieldUses(pattern).some(({ write, method: user }) => !write && user.reference === method.reference)
  return (
    reads('L*;->DEBUG') ||
    reads('Landroid/content/pm/ApplicationInfo;->flags') ||
    callsIn(context.program, method, '->isDebuggable(', '->isDebug(')
  )
}

function overrideHits(
  context: CodeContext,
  ancestor: string,
  name: string,
  judge: (method: MethodFacts) => { zh: string; en: string } | undefined,
): Hit[] {
  const hits: Hit[] = []
  for (const { owner, method } of overrides(context.program, ancestor, name)) {
    const detail = judge(method)
    if (detail) hits.push(methodHit(owner, method, name, detail))
  }
  return hits
}

const SSL_ERRORS = new Set(['Landroid/net/http/SslError;', 'Lcom/tencent/smtt/export/external/interfaces/SslError;'])

function sslErrors(context: CodeContext): Hit[] {
  const { program } = context
  const proceeds = [
    'Landroid/webkit/SslErrorHandler;->proceed()',
    `Lcom/tencent/smtt/export/external/interfaces/SslErrorHandler;->proceed()`,
  ]
  return callsTo(context, ...proceeds).flatMap((call): Hit[] => {
    const { method } = call
    if (method.name === 'onReceivedSslError') {
      // With an error of another class nothing that calls it by that name is Android's.
      if (!SSL_ERRORS.has(method.parameters[2] ?? '')) return []
      const judges = callsIn(
        program,
        method,
        'SslErrorHandler;->cancel(',
        'SslError;->getCertificate(',
        'SslError;->getPrimaryError(',
        'SslError;->hasError(',
        'checkServerTrusted',
      )
      if (judges || guardedByDebug(context, method)) return []
      if (asksConsent(context, method))
        return [
          codeHit(
            call,
            'proceed consent',
            text('用户同意后 onReceivedSslError 才 proceed', 'onReceivedSslError proceeds once the user has agreed'),
            'middle',
          ),
        ]
      return [
        codeHit(
          call,
          'proceed',
          text('onReceivedSslError 直接 proceed', 'onReceivedSslError proceeds whatever the error is'),
        ),
      ]
    }
    return answersDialog(context, method)
      ? [
          codeHit(
            call,
            'proceed dialog',
            text('用户确认后忽略证书错误', 'ignores certificate errors when the user agrees'),
            'middle',
          ),
        ]
      : []
  })
}

const answersDialog = ({ program }: CodeContext, method: MethodFacts): boolean =>
  method.name === 'onClick' && program.isA(method.owner, 'Landroid/content/DialogInterface$OnClickListener;')

/** Does the method read a yes or no of its class that the listener of a dialog writes, itself or through an accessor? */
function asksConsent(context: CodeContext, method: MethodFacts): boolean {
  const { program } = context
  const uses = program.fieldUses(method.owner).filter(({ field }) => field.endsWith(':Z'))
  const read = new Set(
    uses.filter((use) => !use.write && use.method.reference === method.reference).map(({ field }) => field),
  )
  return uses.some(
    (use) =>
      use.write &&
      read.has(use.field) &&
      (answersDialog(context, use.method) ||
        program.callsTo(use.method.reference).some((call) => answersDialog(context, call.method))),
  )
}

const CHECKS = [
  'Ljava/lang/String;->contains(',
  'Ljava/lang/String;->indexOf(Ljava/lang/String;',
  'Ljava/lang/String;->startsWith(Ljava/lang/String;)',
  'Ljava/lang/String;->endsWith(',
]
const DOMAIN = /^(?:https?:\/\/)?(?:\.?[\w-]+\.)+[a-z]{2,}(?:\/.*)?$/i

function weakUrlChecks(context: CodeContext): Hit[] {
  const { program } = context
  const methods: MethodFacts[] = [
    ...overrides(program, 'Landroid/webkit/WebViewClient;', 'shouldOverrideUrlLoading'),
  ].map(({ method }) => method)
  for (const found of program.classes())
    for (const method of found.methods)
      if (/^(?:check|verify|validate|isValid|isAllowed|isTrusted)(?:Url|URL|Host|Domain)/.test(method.name))
        methods.push(method)
  return [...new Map(methods.map((method) => [method.reference, method])).values()].flatMap((method) =>
    isOwn(context, method)
      ? program.callsFrom(method).flatMap((call): Hit[] => {
          if (!CHECKS.some((check) => call.callee.startsWith(check))) return []
          const literal = stringArgument(program, call, 1)
          if (!literal || !DOMAIN.test(literal)) return []
          const receiver = program.argument(call, 0)
          const onHost = receiver.kind === 'call' && receiver.callee.includes('->getHost(')
          const name = call.callee.slice(call.callee.indexOf('->') + 2, call.callee.indexOf('('))
          const sound =
            (name === 'endsWith' && literal.startsWith('.')) ||
            (name === 'startsWith' && /^https?:\/\/[^/]+\//i.test(literal)) ||
            (name === 'startsWith' && onHost)
          return sound
            ? []
            : [
                codeHit(
                  call,
                  `${name} ${literal}`,
                  text(`用 ${name}("${literal}") 校验地址`, `checks an address by ${name}("${literal}")`),
                ),
              ]
        })
      : [],
  )
}
