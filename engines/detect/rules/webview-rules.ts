import type { CallSite } from '../../dex/program.ts'
import { isOffInCapacitor } from '../evidence/capacitor-config.ts'
import { callHits, callsIn, callsTo, classCalls, isOwn, numberArgument, outerClass, stringArgument } from './code.ts'
import { withPreference } from './cordova-engine.ts'
import { guardedByDebug } from './debug-guard.ts'
import { effectsOf, showsGivenContent, unlessIdle } from './effects.ts'
import { codeHit, entryHit, wholeHit } from './hits.ts'
import { FROM_OUTSIDE, isWebOpen } from './intent-calls.ts'
import { appRule, type CodeContext, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { passes, traceArgument } from './trace.ts'
import {
  enablesScript,
  externalLoadsIn,
  LOCAL_HTTP,
  loads,
  loadsFile,
  mayEnableScript,
  runsScript,
  SETTINGS,
  sameClass,
  setsTrue,
  settings,
  startsHttps,
  untrustedIn,
  WEB_VIEW,
  X5,
} from './webview-calls.ts'

/** The part of Bolts that looks for links of applications in pages, where nothing outside of Bolts asks it. */
const isIdleBolts = ({ program }: CodeContext, { method }: CallSite): boolean =>
  method.owner.startsWith('Lbolts/') &&
  !['Lbolts/AppLinkNavigation;', 'Lbolts/WebViewAppLinkResolver;'].some((one) =>
    [...program.classesNaming(one)].some((other) => !other.startsWith('Lbolts/')),
  )

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

/** A call of the overridden method behind a look whether the version is at least 17, where the flaw is gone. */
const guardsSuper = ({ program }: CodeContext, call: CallSite): boolean =>
  call.kind === 'super' &&
  call.method.name === 'addJavascriptInterface' &&
  program
    .fieldUses('Landroid/os/Build$VERSION;->SDK_INT')
    .some((use) => use.method.reference === call.method.reference && use.offset < call.offset) &&
  program.listing(call, GUARD_LINES).some((line) => /\b(?:const\S*|bipush)\b.*\b1[67]$/.test(line.trim()))

const GUARD_LINES = 20

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
      ? callHits(
          context,
          [`${WEB_VIEW}addJavascriptInterface(`],
          (call) =>
            !guardsSuper(context, call) && {
              what: stringArgument(context.program, call, 2) ?? '',
              ...((asksForVersion(context, call) || isIdleBolts(context, call)) && { level: 'info' as const }),
            },
        )
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
    // Without scripts nothing reaches a bridge.
    if (context.minSdk >= 17 || !mayEnableScript(context)) return []
    const removed = callsTo(context, `${WEB_VIEW}removeJavascriptInterface(`).flatMap(
      (call) => stringArgument(context.program, call, 1) ?? [],
    )
    if (['searchBoxJavaBridge_', 'accessibility', 'accessibilityTraversal'].every((name) => removed.includes(name)))
      return []
    return callHits(context, [`${WEB_VIEW}loadUrl(`], (call) => {
      // The bridges exist below Android 4.2, which calls none of the methods with a request (Android 5).
      if (!isOwn(context, call) || call.method.reference.includes('Landroid/webkit/WebResourceRequest;')) return false
      return runsScript(context, call) ? { what: 'javascript:', level: 'low' } : true
    })
  }),

  'android-webview-file-access': codeRule((context) => {
    const hits = callHits(
      context,
      settings('setAllowFileAccess'),
      (call) => setsTrue(context)(call) && { what: 'true' },
    ).map((hit) => withPreference(context, hit))
    if (context.targetSdk >= 30 || !context.facts) return hits
    const set = new Set(
      callsTo(context, ...settings('setAllowFileAccess')).map(({ method }) => outerClass(method.owner)),
    )
    for (const call of enablesScript(context)) {
      if (!isOwn(context, call) || set.has(outerClass(call.method.owner))) continue
      const external = externalLoadsIn(context, call)
      if (external.length)
        hits.push(
          codeHit(
            call,
            'default file access',
            ...unlessIdle(
              text(
                '未关闭文件访问（默认开启），且启用了脚本并加载外部地址',
                'file access is left on by default, with JavaScript and outside addresses',
              ),
              !startsHttps(context, call, external),
              text(
                '地址均由应用自身给出，且以 https 服务器开头',
                'own code gives every address, and each begins with a server by https',
              ),
            ),
          ),
        )
    }
    return hits
  }),

  'android-webview-universal-file-access': codeRule((context) =>
    callHits(
      context,
      [...settings('setAllowUniversalAccessFromFileURLs'), ...settings('setAllowFileAccessFromFileURLs')],
      (call) => (setsTrue(context)(call) ? { what: 'true' } : false),
    )
      .map((hit) => withPreference(context, hit))
      .concat(
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
            ...unlessIdle(
              text('minSdk 低于 18 且未关闭保存密码', 'saving passwords is on by default below Android 18'),
              !showsGivenContent(context, call),
              text('该网页视图只显示应用给出的内容', 'the web view only shows content that code gives it'),
            ),
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
    const looked: CallSite[] = []
    const hits = callHits(
      context,
      [`${SETTINGS}setMixedContentMode(I)V`, `${X5}WebSettings;->setMixedContentMode(I)V`],
      (call) => {
        if (numberArgument(context.program, call, 1) !== 0) return false
        if (!isOffInCapacitor(context, context.program, call, 'allowMixedContent'))
          return { what: 'MIXED_CONTENT_ALWAYS_ALLOW' }
        looked.push(call)
        return false
      },
    )
    if (context.targetSdk < 21 && enablesScript(context).some((call) => isOwn(context, call)))
      hits.push(
        wholeHit(
          context,
          'default',
          ...unlessIdle(
            text('targetSdk 低于 21，默认允许混合内容', 'mixed content is allowed by default below target SDK 21'),
            effectsOf(context).opensHttpsPages,
            text('未见网页视图打开 https 页面', 'no web view that opens a page by https was seen'),
          ),
        ),
      )
    return { hits, looked }
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

  'android-webview-js-from-http': codeRule((context) => {
    const hits = loads(context).flatMap((call): Hit[] => {
      const url = stringArgument(context.program, call, 1)
      if (!url || !/^http:\/\//i.test(url) || LOCAL_HTTP.test(url)) return []
      // A base address: what the page refers to by relative names comes from there.
      return call.callee.includes('loadDataWithBaseURL')
        ? [codeHit(call, url, text(`以 ${url} 为基地址显示内容`, `shows content with the base address ${url}`), 'low')]
        : [codeHit(call, url, text(`加载 ${url}`, `loads ${url}`))]
    })
    const named = pagesNamed(context)
    for (const piece of context.texts.pieces) {
      if (piece.source !== 'file' || !/\.html?$/i.test(piece.entry)) continue
      const match = /src="(http:\/\/[^"\s]{4,200})"/i.exec(piece.text)
      if (!match || LOCAL_HTTP.test(match[1]!)) continue
      const isNamed = named(piece.entry)
      hits.push(
        entryHit(
          piece.entry,
          match[1]!,
          isNamed
            ? text(`页面引用 ${match[1]}`, `page refers to ${match[1]}`)
            : text(
                `页面引用 ${match[1]}；没有其他文件或代码提到该页面`,
                `page refers to ${match[1]}; no other file or code names the page`,
              ),
          isNamed ? undefined : 'low',
          piece.offset,
        ),
      )
    }
    return hits
  }),
}

/**
 * Says whether a page is the first of its folder, or another file, a resource or code names it, whole or as the beginning of its name
 * (`"file:///android_asset/help_" + language`); more files than can be read count as naming every page.
 */
function pagesNamed({ entries, read, program, resources }: CodeContext): (entry: string) => boolean {
  const files = entries.filter(({ name }) => /\.(?:x?html?|m?js|json|xml|bundle)$/i.test(name))
  const isMuch = files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES
  let contents: ReadonlyMap<string, Buffer> | undefined
  return (entry) => {
    const name = entry.slice(entry.lastIndexOf('/') + 1).replace(/\.html?$/i, '')
    if (isMuch || /^(?:index|main|home|start)$/i.test(name)) return true
    for (const { value } of program.stringConstants()) if (value.includes(name) || isBeginning(value, name)) return true
    for (const { value } of resources?.all() ?? []) if (value?.text?.includes(name)) return true
    contents ??= new Map(files.map((file) => [file.name, Buffer.from(read(file.name) ?? [])]))
    // Compiled XML keeps its texts in UTF-8 or UTF-16.
    const wide = Buffer.from(name, 'utf16le')
    for (const [other, content] of contents)
      if (other !== entry && (content.includes(name) || (other.endsWith('.xml') && content.includes(wide)))) return true
    return false
  }
}

/** Does a text end in the beginning of a name, as one that code completes does? */
function isBeginning(value: string, name: string): boolean {
  const last = value.slice(value.lastIndexOf('/') + 1)
  return last.length > 1 && name.startsWith(last) && (value.includes('/') || /[_-]$/.test(last))
}
const MOST_BYTES = 8 * 2 ** 20

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
