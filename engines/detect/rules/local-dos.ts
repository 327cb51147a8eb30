import type { CallSite, MethodFacts, Program } from '../../dex/program.ts'
import { callKey } from './code.ts'
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
            ),
          )
      }
    }
  return hits
}

function usesUnchecked(program: Program, call: CallSite) {
  if (call.kind === 'static' || !/^Ljava\/lang\/String;->|^Landroid\/os\/Bundle;->get/.test(call.callee))
    return undefined
  const from = program.argument(call, 0)
  if (from.kind !== 'call' || !/Intent;->(?:getAction|getExtras|getStringExtra|getDataString)\(/.test(from.callee))
    return undefined
  if (program.isNullChecked(call)) return undefined
  const name = from.callee.slice(from.callee.indexOf('->') + 2, from.callee.indexOf('('))
  return text(`${name}() 可能为 null`, `${name}() may be null`)
}
