import type { CallSite, Program } from '../../dex/program.ts'
import { callsIn, parameterTypes } from './code.ts'
import { providerOf } from './component-rules.ts'
import { isExported } from './exported.ts'
import { codeHit } from './hits.ts'
import { isUnaddressed } from './provider-address.ts'
import { appRule, type Hit, type RuleTable, text } from './rule.ts'
import { passes, type Trace, traceArgument } from './trace.ts'

export const providerRules: RuleTable = {
  'android-provider-path-traversal': appRule((context) => {
    const hits: Hit[] = []
    for (const found of context.program.subclassesOf('Landroid/content/ContentProvider;')) {
      const component = providerOf(context, found.descriptor)
      if (!component || !(isExported(context, component) || component.grantUriPermissions)) continue
      if (context.program.isA(found.descriptor, 'Landroidx/core/content/FileProvider;')) continue
      const isShut = isUnaddressed(context, component, found)
      for (const method of found.methods) {
        if (method.name !== 'openFile' || !method.codeSize) continue
        const opens = context.program
          .callsFrom(method)
          .find(({ callee }) => callee.includes('ParcelFileDescriptor;->open('))
        const trace = opens && traceArgument(context.program, opens, 1)
        const fromUri =
          trace &&
          passes(trace, 'Uri;->getLastPathSegment', 'Uri;->getPath', 'Uri;->getPathSegments', 'Uri;->getEncodedPath')
        if (
          !opens ||
          !fromUri ||
          passes(trace, 'getCanonicalPath', 'getCanonicalFile') ||
          callsIn(context.program, method, 'getCanonicalPath', 'getCanonicalFile')
        )
          continue
        hits.push(
          codeHit(
            opens,
            'openFile',
            text(
              `openFile 用 uri 拼出路径，未比较规范路径${isShut ? '；该提供者未导出，除其自身外没有代码知道其地址，但意图重定向仍可到达' : ''}`,
              `openFile builds a path from the uri and never compares the canonical one${isShut ? '; the provider is not exported and no code but its own knows its address: an intent redirection may still reach it' : ''}`,
            ),
            isShut ? 'low' : undefined,
          ),
        )
      }
    }
    return hits
  }),

  'android-provider-sql-injection': appRule((context) => {
    const hits: Hit[] = []
    for (const found of context.program.subclassesOf('Landroid/content/ContentProvider;')) {
      const component = providerOf(context, found.descriptor)
      if (!component || !isExported(context, component)) continue
      for (const method of found.methods) {
        if (!['query', 'update', 'delete'].includes(method.name) || !method.codeSize) continue
        if (callsIn(context.program, method, 'setStrict(', 'setProjectionMap(')) continue
        const sink = context.program.callsFrom(method).find((call) => takesSelection(context.program, call))
        if (sink)
          hits.push(
            codeHit(
              sink,
              `${method.name} sql`,
              text(
                `${method.name} 的外部条件直接进入 SQL`,
                `what the caller of ${method.name} gives goes into SQL as it is`,
              ),
            ),
          )
      }
    }
    return hits
  }),
}

/** A database call with the provider's own parameter as statement, condition or order. */
function takesSelection(program: Program, call: CallSite): boolean {
  const sql =
    /SQLite(?:Database|QueryBuilder);->(?:rawQuery|execSQL|query|update|delete)\(/.test(call.callee) ||
    /database\/SQLiteDatabase;->/.test(call.callee)
  if (!sql) return false
  return parameterTypes(call.callee).some((type, i) => {
    if (type !== 'Ljava/lang/String;') return false
    const value = program.argument(call, i + 1)
    if (value.kind === 'parameter') return true
    const trace: Trace = traceArgument(program, call, i + 1, 0)
    return trace.fromParameter && [...trace.calls].some((callee) => callee.includes('StringBuilder'))
  })
}
