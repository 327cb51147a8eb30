import type { CallSite } from '../../dex/program.ts'
import { callsTo, isOwn, numberArgument, outerClass, stringArgument } from './code.ts'
import { FROM_OUTSIDE, isWebOpen } from './intent-calls.ts'
import type { CodeContext, ManifestContext } from './rule.ts'
import { beginningOf, passes, traceArgument } from './trace.ts'

export const SETTINGS = 'Landroid/webkit/WebSettings;->'

export const WEB_VIEW = 'Landroid/webkit/WebView;->'

export const X5 = 'Lcom/tencent/smtt/sdk/'

export const LOCAL_HTTP = /^http:\/\/(?:localhost|127\.0\.0\.1|10\.0\.2\.2|0\.0\.0\.0)(?:[:/]|$)/i

export const setsTrue = (context: CodeContext) => (call: CallSite) => numberArgument(context.program, call, 1) === 1

export const settings = (name: string): string[] => [`${SETTINGS}${name}(Z)V`, `${X5}WebSettings;->${name}(Z)V`]

export const loads = (context: CodeContext): CallSite[] =>
  callsTo(context, `${WEB_VIEW}loadUrl(`, `${WEB_VIEW}loadDataWithBaseURL(`, `${X5}WebView;->loadUrl(`)

export const enablesScript = (context: CodeContext): CallSite[] =>
  callsTo(context, ...settings('setJavaScriptEnabled')).filter(setsTrue(context))

/** Also where the value is not known. */
export const mayEnableScript = (context: CodeContext): boolean =>
  callsTo(context, ...settings('setJavaScriptEnabled')).some((call) => numberArgument(context.program, call, 1) !== 0)

/** What a load may show beyond the application's own pages: a constant http address or what an intent brings. */
function untrusted(context: CodeContext, call: CallSite): 'http' | 'intent' | undefined {
  const trace = traceArgument(context.program, call, 1)
  for (const value of trace.strings) if (/^http:\/\//i.test(value) && !LOCAL_HTTP.test(value)) return 'http'
  return passes(trace, ...FROM_OUTSIDE, 'Intent;->getData') ? 'intent' : undefined
}

/** A load of `javascript:` text runs a script in the page that is there and loads none. */
export const runsScript = (context: CodeContext, call: CallSite): boolean =>
  [...traceArgument(context.program, call, 1, 0).strings].some((value) => /^\s*javascript:/i.test(value))

/** Does the class of a call load pages from files? */
export const loadsFile = (context: CodeContext, of: CallSite): boolean =>
  loads(context).some((load) => {
    if (!sameClass(load, of)) return false
    const trace = traceArgument(context.program, load, 1)
    return (
      [...trace.strings].some((value) => /^file:/i.test(value)) || passes(trace, 'Uri;->fromFile(', 'File;->toURI(')
    )
  })

export const sameClass = (a: CallSite, b: CallSite): boolean =>
  outerClass(a.method.owner) === outerClass(b.method.owner)

export const untrustedIn = (context: CodeContext, of: CallSite): boolean =>
  loads(context).some((load) => sameClass(load, of) && untrusted(context, load) !== undefined)

/** Does the address begin with a folder of the package itself, so that what comes behind only picks one of its pages? */
function loadsAsset(context: CodeContext, load: CallSite): boolean {
  const { program } = context
  const begin = beginningOf(program, program.argument(load, 1))
  if (begin === undefined || !/^file:\/\/\/android_(?:asset|res)\//.test(begin) || begin.includes('..')) return false
  // What strangers put behind it may lead out of the folder.
  const isGiven = passes(traceArgument(program, load, 1), ...FROM_OUTSIDE)
  return !isGiven || (context.facts !== null && !isWebOpen(context as CodeContext & ManifestContext, load.method))
}

/**
 * Does a screen that nothing outside can start load a text that comes with its intent, and does all code that puts a text of that name into an
 * intent begin it with a server by https? Such a page opens no file.
 */
export function loadsGivenHttps(context: CodeContext, load: CallSite): boolean {
  const { program, facts } = context
  const value = program.argument(load, 1)
  if (!facts || value.kind !== 'call' || !/^Landroid\/content\/Intent;->getStringExtra\(/.test(value.callee))
    return false
  if (isWebOpen(context as CodeContext & ManifestContext, load.method)) return false
  const name = stringArgument(program, value.location, 1)
  const puts = callsTo(context, 'Landroid/content/Intent;->putExtra(', 'Landroid/os/Bundle;->putString(').filter(
    (put) =>
      /\(Ljava\/lang\/String;Ljava\/lang\/(?:String|CharSequence);\)/.test(put.callee) &&
      // A name that is no constant may be this one, but a library does not know names of the application.
      (stringArgument(program, put, 1) ?? (isOwn(context, put) ? name : undefined)) === name,
  )
  return (
    name !== undefined &&
    puts.length > 0 &&
    puts.every((put) => /^https:\/\/[\w.-]+\//i.test(beginningOf(program, program.argument(put, 2)) ?? ''))
  )
}

/** Loads in the class of a call that may show what is not in the package. */
export const externalLoadsIn = (context: CodeContext, of: CallSite): readonly CallSite[] =>
  loads(context).filter((load) => {
    if (!sameClass(load, of)) return false
    const constant = stringArgument(context.program, load, 1)
    if (constant === undefined) return !runsScript(context, load) && !loadsAsset(context, load)
    return !/^(?:https:|file:|about:|data:|javascript:)/i.test(constant)
  })
