import type { CallSite } from '../../dex/program.ts'
import { cordovaPreference } from '../evidence/cordova-config.ts'
import { callsTo, numberArgument, stringArgument } from './code.ts'
import { type CodeContext, type Hit, text } from './rule.ts'

const INSECURE_MODE = 'AndroidInsecureFileModeEnabled'

/**
 * Cordova opens files to pages where the preference `AndroidInsecureFileModeEnabled` (false by default) says so. Low where its
 * configuration was read and does not turn it on, and no other code names the preference.
 */
export function withPreference(context: CodeContext, hit: Hit): Hit {
  const at = hit.codeLocation
  if (!at?.method.owner.startsWith('Lorg/apache/cordova/')) return hit
  const asks = context.program
    .callsFrom(at.method)
    .filter(
      (call) =>
        call.offset < at.offset &&
        call.callee.endsWith(';->getBoolean(Ljava/lang/String;Z)Z') &&
        stringArgument(context.program, call, 1) === INSECURE_MODE,
    )
  const uses = context.program.stringUses(INSECURE_MODE)
  if (!asks.length || uses.some(({ method }) => !method.owner.startsWith('Lorg/apache/cordova/'))) return hit
  if (callsTo(context, 'Lorg/apache/cordova/CordovaPreferences;->set(').some((call) => maySet(context, call)))
    return hit
  if (asks.some((call) => numberArgument(context.program, call, 2) !== 0)) return hit
  const value = cordovaPreference(context, INSECURE_MODE)
  if (value === undefined || (value !== null && value.toLowerCase() !== 'false')) return hit
  return {
    ...hit,
    level: 'low',
    detail: text(
      `${hit.detail.zh}；仅在首选项 ${INSECURE_MODE} 打开时执行，而 config.xml 未打开它`,
      `${hit.detail.en}; only with the preference ${INSECURE_MODE}, which config.xml does not turn on`,
    ),
  }
}

/** May a call of own code or of a library turn the preference on? Cordova itself sets what its configuration says. */
function maySet({ program }: CodeContext, call: CallSite): boolean {
  if (/^Lorg\/apache\/cordova\/(?:ConfigXmlParser|CordovaPreferences|Config)[;$]/.test(call.method.owner)) return false
  const name = stringArgument(program, call, 1)
  return name === undefined || name.toLowerCase() === INSECURE_MODE.toLowerCase()
}
