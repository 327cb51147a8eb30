import type { CallSite, MethodFacts, Value } from '../../dex/program.ts'
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
 * Do the loads in the class of a call begin at servers by https? Where pages lead from there is to no file; where that is all that is seen,
 * they begin elsewhere.
 */
export const startsHttps = (context: CodeContext, of: CallSite, external: readonly CallSite[]): boolean =>
  external.every((load) => loadsHttps(context, load)) &&
  loads(context).some((load) => sameClass(load, of) && !isLink(load.method))

const isLink = ({ name }: MethodFacts): boolean => name === 'shouldOverrideUrlLoading'

/**
 * Does each address that a load is given begin with a server by https? Followed to the beginning of a text, to the callers of the method, and
 * to the code that puts a text into the intent of a screen that nothing outside can start. Such a page opens no file.
 */
function loadsHttps(context: CodeContext, load: CallSite): boolean {
  return areHttps(context, context.program.possibleArguments(load, 1), load, MOST_CALLERS)
}
const MOST_CALLERS = 2
const HTTPS = /^https:\/\/[\w.-]+\//i

function areHttps(context: CodeContext, values: readonly Value[], call: CallSite, depth: number): boolean {
  const { program } = context
  return values.every((value) => {
    const begin = beginningOf(program, value)
    if (begin !== undefined) return HTTPS.test(begin) || /^(?:javascript|about):/i.test(begin)
    if (value.kind !== 'parameter') return isGivenHttps(context, value, call)
    const { method } = call
    // Where a page leads, which is to no file from a server.
    if (isLink(method)) return true
    const callers = program.callersOf(method, 1)
    // A method of a web view's heir that nothing calls loads nothing.
    if (!callers.length) return program.isA(method.owner, 'Landroid/webkit/WebView;') && method.name.startsWith('load')
    const signature = method.reference.slice(method.reference.indexOf('->'))
    const given = (one: CallSite) => areHttps(context, program.possibleArguments(one, value.index), one, depth - 1)
    return (
      depth > 0 &&
      callers.every((one) => {
        const calls = program.callsFrom(one).filter(({ callee }) => callee.endsWith(signature))
        return calls.length > 0 && calls.every(given)
      })
    )
  })
}

/** A text of the intent of a screen that own code alone starts, all of which begins that text with a server by https. */
function isGivenHttps(context: CodeContext, value: Value, load: CallSite): boolean {
  const { program, facts } = context
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
    puts.every((put) => HTTPS.test(beginningOf(program, program.argument(put, 2)) ?? ''))
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
