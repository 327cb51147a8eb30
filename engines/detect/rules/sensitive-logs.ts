import type { CallSite, Program } from '../../dex/program.ts'
import { callKey, callsTo, isOwn, parameterTypes, stringArgument } from './code.ts'
import { guardedByDebug } from './debug-guard.ts'
import { codeHit } from './hits.ts'
import { masked } from './mask.ts'
import { type CodeContext, type Hit, type Outcome, text } from './rule.ts'
import { traceArgument } from './trace.ts'

/** Words for a credential. `TokenDataProviderSource` has no such word: it must be the last of its name, except for what says that it is a value. */
const SENSITIVE_WORD =
  /passw|passcode|passphrase|(?:^|[^a-z])pass(?:$|[^a-z])|(?:token|pwd|secret(?:_?(?:access_?)?key)?|idcard|cookie)(?:s|value|text|str(?:ing)?)?(?![a-z])/i
/** A message about a credential that is not there: what follows is something else. */
const NOT_THERE = /(?:token|pwd|secret|cookie|passw)\w*\W.*\b(?:no \w+ (?:for|found|in)|not found|missing)\b/i
const isSensitive = (text: string): boolean => SENSITIVE_WORD.test(text) && !NOT_THERE.test(text)

/** Fields and getters that hold a credential. */
const CREDENTIAL_NAME =
  /^m?_?(?:user|login|old|new|confirm)?_?(?:passw(?:or)?d|passcode|passphrase|pwd|pin|otp|cvv|secret(?:key)?|(?:access|auth|session|refresh)?_?token)$/i

const fieldName = (field: string): string => field.slice(field.indexOf('->') + 2, field.indexOf(':'))

/** A tag that names the value after it, not the name of a class. */
const SENSITIVE_TAG =
  /^(?:password|passwd|passcode|pwd|pin|cvv|token|(?:access|auth)_?token|secret|cookie)$|^(?:access|auth)Token$/

/** Of an exception: what went wrong, not what the program holds. */
const OF_EXCEPTION = /^L[\w/$]*(?:Exception|Throwable|Error);->(?:getMessage|getLocalizedMessage|toString)\(/

/** Is the message a constant label: made by a formatter that gets no values, or with nothing but the message of an exception behind it? */
function isLabel(program: Program, call: CallSite, n: number): boolean {
  const value = program.argument(call, n)
  if (value.kind !== 'call') return false
  const types = parameterTypes(value.callee)
  if (types.at(-1) === '[Ljava/lang/Object;') {
    const values = program.argument(value.location, types.length)
    const format = program.argument(value.location, types.length - 1)
    if (format.kind === 'string' && values.kind === 'array' && values.length === 0) return true
  }
  const trace = traceArgument(program, call, n, 0)
  const calls = [...trace.calls].filter(
    (callee) => !/^Ljava\/lang\/(?:String|StringBuilder|StringBuffer);/.test(callee),
  )
  return (
    calls.length > 0 && calls.every((callee) => OF_EXCEPTION.test(callee)) && !trace.fromParameter && !trace.fields.size
  )
}

export function sensitiveLogs(context: CodeContext): Outcome {
  const { program } = context
  const logs = ['d', 'v', 'i', 'w', 'e'].flatMap((name) => callsTo(context, `Landroid/util/Log;->${name}(`))
  const own = logs.filter((call) => isOwn(context, call))
  const hits: Hit[] = []
  for (const call of own.concat(
    callsTo(context, 'Ljava/io/PrintStream;->println(Ljava/lang/String;').filter((call) => isOwn(context, call)),
  )) {
    const logged = call.callee.includes('/Log;')
    const trace = traceArgument(program, call, logged ? 2 : 1, 0)
    const tag = logged ? stringArgument(program, call, 1) : undefined
    const word =
      [...trace.strings].find(isSensitive) ??
      [...trace.fields].map(fieldName).find((name) => CREDENTIAL_NAME.test(name)) ??
      (tag !== undefined && SENSITIVE_TAG.test(tag) ? tag : undefined)
    if (word && trace.variable && !isLabel(program, call, logged ? 2 : 1) && !guardedByDebug(context, call.method))
      hits.push(
        codeHit(
          call,
          callKey(call, masked(word)),
          text(`日志输出与 "${word.slice(0, 40)}" 相连的内容`, `logs something behind "${word.slice(0, 40)}"`),
        ),
      )
  }
  const chatty = own.filter(({ callee }) => /Log;->[dv]\(/.test(callee))
  if (chatty.length > 50) {
    const detail = text(`自有代码中有 ${chatty.length} 处调试日志`, `${chatty.length} debug logs in own code`)
    hits.push(codeHit(chatty[0]!, 'many debug logs', detail, 'info'))
  }
  return { hits, looked: own }
}
