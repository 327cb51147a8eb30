import type { CallSite, MethodFacts, Program, Value } from '../../dex/program.ts'
import { callKey, outerClass } from './code.ts'
import { openClasses } from './exported.ts'
import { codeHit } from './hits.ts'
import { type CodeContext, type Hit, type ManifestContext, text } from './rule.ts'

const ENTRY_POINTS = new Set([
  'onCreate',
  'onStart',
  'onResume',
  'onNewIntent',
  'onReceive',
  'onStartCommand',
  'onBind',
  'onHandleIntent',
  'onHandleWork',
  'onActivityResult',
])

/** What an open component takes from its intent and uses unchecked, where nothing catches what that may throw. */
export function localDos(context: ManifestContext & CodeContext): Hit[] {
  const { program } = context
  const open = openClasses(context, 'activity', 'activity-alias', 'service', 'receiver')
  const isEntry = (method: MethodFacts) => ENTRY_POINTS.has(method.name) && open.has(method.owner)
  const hits: Hit[] = []
  for (const descriptor of open)
    for (const method of program.classOf(descriptor)?.methods ?? []) {
      if (!isEntry(method) || !method.codeSize) continue
      if (method.name === 'onActivityResult' && !asksOthers(program, descriptor)) continue
      for (const call of program.callsFrom(method)) {
        const unsafe = /->getSerializableExtra\(|->getParcelable(?:ArrayList)?Extra\(/.test(call.callee)
          ? text('反序列化外部数据', 'deserialises what came from outside')
          : usesUnchecked(program, call)
        if (unsafe && !program.isCaught(call))
          hits.push(
            codeHit(
              call,
              `${method.name} ${callKey(call)}`,
              text(
                `${method.name} 未检查即使用：${unsafe.zh}`,
                `${method.name} uses its input unchecked: ${unsafe.en}`,
              ),
              // Only an application that the person picked for the answer gives it.
              method.name === 'onActivityResult' ? 'low' : undefined,
            ),
          )
      }
    }
  return hits
}

/**
 * Can a class get results of other applications? Those that it starts by class are its own. Who asks may be the class itself, one that it
 * inherits from, its listeners, and a helper that it calls.
 */
function asksOthers(program: Program, descriptor: string): boolean {
  const own = program.classOf(descriptor)
  if (!own) return false
  const named = [...program.typesNamedBy(own), ...program.classesNaming(descriptor)]
  const isNear = (one: string) => outerClass(one) === outerClass(descriptor) || program.isA(descriptor, one)
  const near = new Set([descriptor, ...named.filter(isNear)])
  for (const one of near) {
    const found = program.classOf(one)
    if (found) for (const other of program.typesNamedBy(found)) if (isNear(other)) near.add(other)
  }
  const helpers = [...near].flatMap((one) => {
    const found = program.classOf(one)
    return found ? [...program.typesNamedBy(found)] : []
  })
  return (
    [...near].some((one) => classCallsAny(program, one, IMPLICIT)) ||
    [...named, ...helpers].some((one) => classCallsAny(program, one, STARTS) && classCallsAny(program, one, IMPLICIT))
  )
}
const IMPLICIT =
  /Intent;->(?:<init>\(Ljava\/lang\/String;|setAction\(|createChooser\(|setComponent\(|setClassName\(|parseUri\()|->(?:getLaunchIntentForPackage|startIntentSenderForResult|registerForActivityResult)\(/
const STARTS = /->(?:startActivityForResult|startActivityIfNeeded|startIntentSenderForResult|launch)\(/

const classCallsAny = (program: Program, descriptor: string, pattern: RegExp): boolean =>
  (program.classOf(descriptor)?.methods ?? []).some((method) =>
    program.callsFrom(method).some(({ callee }) => pattern.test(callee)),
  )

function usesUnchecked(program: Program, call: CallSite) {
  if (call.kind === 'static' || !/^Ljava\/lang\/String;->|^Landroid\/os\/Bundle;->get/.test(call.callee))
    return undefined
  const from = program.argument(call, 0)
  if (from.kind !== 'call' || !/Intent;->(?:getAction|getExtras|getStringExtra|getDataString)\(/.test(from.callee))
    return undefined
  if (program.isNullChecked(call) || isEmptyChecked(program, call, from) || wasChecked(program, call, from))
    return undefined
  const name = from.callee.slice(from.callee.indexOf('->') + 2, from.callee.indexOf('('))
  return text(`${name}() 可能为 null`, `${name}() may be null`)
}

/** Does the method compare with null what the same question gave before? */
const wasChecked = (program: Program, call: CallSite, from: Value & { kind: 'call' }): boolean =>
  from.callee.includes('()') &&
  program.callsFrom(call.method).some((one) => {
    if (one.callee !== from.callee || one.offset >= from.location.offset) return false
    const lines = program.listing(one, AHEAD)
    const at = lines.findIndex((line) => line.includes(one.callee))
    const register = /move-result-object (v\d+)$/.exec(lines[at + 1] ?? '')?.[1]
    return register !== undefined && new RegExp(`\\bif-(?:eqz|nez) ${register},`).test(lines[at + 2] ?? '')
  })
/** Lines around a call that hold two behind it. */
const AHEAD = 5

/** Does the method ask before the call whether the same value is empty? */
const isEmptyChecked = (program: Program, call: CallSite, from: Value & { kind: 'call' }): boolean =>
  program.callsFrom(call.method).some((check) => {
    if (check.offset >= call.offset || !check.callee.startsWith('Landroid/text/TextUtils;->isEmpty(')) return false
    const checked = program.argument(check, 1)
    return (
      checked.kind === 'call' &&
      checked.callee === from.callee &&
      (checked.location.offset === from.location.offset || checked.callee.includes('()'))
    )
  })
