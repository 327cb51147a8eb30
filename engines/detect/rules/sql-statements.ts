import type { CallSite, MethodFacts, Program, Value } from '../../dex/program.ts'
import type { Text } from '../result/scan-result.ts'
import { callKey, callsTo, isOwn } from './code.ts'
import { handedValues } from './constants.ts'
import { codeHit } from './hits.ts'
import { type CodeContext, type Hit, text } from './rule.ts'
import { passes, type Trace, traceValue } from './trace.ts'

const SQL =
  /^L(?:android\/database\/sqlite|net\/sqlcipher\/database|net\/zetetic\/database\/sqlcipher)\/SQLiteDatabase;->(?:rawQuery|execSQL)\(/
const JOINS =
  /StringBuilder;->append|String;->(?:concat|format)|StringBuffer;->append|Intrinsics;->stringPlus|makeConcatWithConstants/
/** Statements that make or drop tables hold nothing that somebody gives. */
const DEFINITION = /^\s*(?:create|drop|alter|pragma|vacuum)\b/i
/** Calls that give what a user or another application wrote. */
const OUTSIDE = ['->getText(', 'Intent;->get', 'Bundle;->get', 'Uri;->get']

const JOINED = text('拼接 SQL 语句', 'puts an SQL statement together from parts')
const TABLE = text('表名拼入 SQL 语句', 'puts the name of a table into an SQL statement')
const WHOLE = text('整条 SQL 语句来自外部输入', 'runs an SQL statement that comes from outside as a whole')

/**
 * Own code that runs an SQL statement which somebody else can write: put together with a text that is no constant and no number, or taken as
 * a whole from an input. A method that takes the statement as a parameter is judged by what own code hands to it, one call away; where that is
 * constants alone, or nothing calls it, it says nothing.
 */
export function sqlStatements(context: CodeContext): Hit[] {
  return callsTo(context, 'L*;->rawQuery(', 'L*;->execSQL(').flatMap((call): Hit[] => {
    if (!isOwn(context, call) || !SQL.test(call.callee)) return []
    for (const { value, from } of handedValues(context.program, call, 1)) {
      const detail = isOwn(context, from) ? injectable(context, call, value, from) : undefined
      if (detail) {
        const isLow = detail === TABLE || (from === call && handsValuesOn(context, call, value))
        return [codeHit(call, callKey(call, 'concatenated'), detail, isLow ? 'low' : undefined)]
      }
    }
    return []
  })
}

function injectable({ program }: CodeContext, call: CallSite, value: Value, from: CallSite): Text | undefined {
  if (value.kind === 'string') return undefined
  const handed = from !== call
  const trace = traceValue(program, value, from.method, handed ? 1 : 2, 'texts')
  if (!trace.variable || DEFINITION.test([...trace.strings].join(' '))) return undefined
  if (bindsValues(program, call, [...trace.strings])) return undefined
  const outside = passes(trace, ...OUTSIDE)
  if (joins(trace)) {
    const isTable = !outside && namesTable([...trace.strings])
    return handed || trace.fromParameter || outside ? (isTable ? TABLE : JOINED) : undefined
  }
  return outside ? WHOLE : undefined
}

/** Calls away from a statement within which an input is looked for. */
const FAR = 3

/** Is it a helper whose callers give it the values to bind, beside the statement, and no input was seen to be that statement? */
const handsValuesOn = ({ program }: CodeContext, call: CallSite, value: Value): boolean =>
  call.callee.includes('[Ljava/lang/') &&
  program.argument(call, 2).kind === 'parameter' &&
  !passes(traceValue(program, value, call.method, FAR, 'texts'), ...OUTSIDE) &&
  ![call.method, ...program.callersOf(call.method, FAR)].some((method) => isOpen(program, method))

/** Does another application, or a page, write what the method is given? */
const isOpen = (program: Program, { owner, annotations }: MethodFacts): boolean =>
  program.isA(owner, 'Landroid/content/ContentProvider;') ||
  annotations.includes('Landroid/webkit/JavascriptInterface;')

/** Words before the name of a table. */
const BEFORE_TABLE = /\b(?:from|into|update|table|join)\s+["'`[]?$/i
/** The rest of a statement, up to its last value, which is bound. */
const BOUND_REST = /\?\s*[\s);]*$/

/** Is every value bound, and only the name of a table put in? */
function bindsValues(program: Program, call: CallSite, texts: readonly string[]): boolean {
  if (!call.callee.includes('[Ljava/lang/') || program.argument(call, 2).kind === 'null') return false
  const rest = texts.filter((one) => !BEFORE_TABLE.test(one))
  return rest.length === 1 && texts.length > 1 && BOUND_REST.test(rest[0]!)
}

/** Is the name of a table all that is put in? It cannot be bound, and comes from code. */
const namesTable = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((one) => BEFORE_TABLE.test(one) || /^["'`\]]?\s*;?\s*$/.test(one))

const joins = (trace: Trace): boolean => [...trace.calls].some((callee) => JOINS.test(callee))
