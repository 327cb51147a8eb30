import type { MethodFacts, Program } from '../../dex/program.ts'
import { parameterTypes, stringArgument } from './code.ts'

const PENDING = 'Landroid/app/PendingIntent;'

/** Services of Android that keep a pending intent to themselves: no other application gets it, and so none fills it in. */
const SYSTEM_TAKERS =
  /^Landroid\/(?:app\/AlarmManager|location\/LocationManager|nfc\/NfcAdapter|hardware\/usb\/UsbManager|telephony\/(?:gsm\/)?SmsManager);->/

/** Does a method put a pending intent into another intent or a notification? */
function putsAway(program: Program, method: MethodFacts): boolean {
  return (
    program
      .fieldUses('Landroid/app/Notification;')
      .some((use) => use.write && use.field.endsWith(`:${PENDING}`) && use.method.reference === method.reference) ||
    program.callsFrom(method).some((call) => {
      const at = parameterTypes(call.callee).indexOf('Landroid/os/Parcelable;') + 1
      const value = at > 0 ? program.argument(call, at) : undefined
      return (
        (value?.kind === 'call' && value.callee.endsWith(`)${PENDING}`)) ||
        (value?.kind === 'field' && value.field.endsWith(`:${PENDING}`))
      )
    })
  )
}

/** Packages of Google's services, which a library asks to register the device. */
const GOOGLE = new Set(['com.google.android.gsf', 'com.google.android.gms'])

/** Does the method send what it makes to the services of Google alone, as their libraries for messages do? */
export function goesToGoogle(program: Program, method: MethodFacts): boolean {
  const targets = program
    .callsFrom(method)
    .filter(
      ({ callee }) => callee === 'Landroid/content/Intent;->setPackage(Ljava/lang/String;)Landroid/content/Intent;',
    )
  return (
    targets.length > 0 &&
    targets.every((call) => GOOGLE.has(stringArgument(program, call, 1) ?? '')) &&
    !program.callsFrom(method).some(({ callee }) => parameterTypes(callee).includes(PENDING))
  )
}

/** Does all that the class does with pending intents, and callers do that get one from the method, hand them to Android's own services? */
export function goesToSystemOnly(program: Program, method: MethodFacts, depth: number): boolean {
  const methods = program
    .fieldUses(method.owner)
    .some(
      ({ write, field, method: user }) => write && user.reference === method.reference && field.endsWith(`:${PENDING}`),
    )
    ? (program.classOf(method.owner)?.methods ?? [])
    : [method]
  const takers = methods
    .flatMap((one) => [...program.callsFrom(one)])
    .filter(({ callee }) => parameterTypes(callee).includes(PENDING))
  const isSystem = (callee: string): boolean => {
    if (SYSTEM_TAKERS.test(callee)) return true
    const owner = depth > 0 ? program.classOf(callee.slice(0, callee.indexOf('->'))) : undefined
    const taker = owner?.methods.find(({ reference }) => reference === callee)
    return taker !== undefined && taker.returns !== PENDING && goesToSystemOnly(program, taker, depth - 1)
  }
  if (takers.some(({ callee }) => !isSystem(callee)) || methods.some((one) => putsAway(program, one))) return false
  if (method.returns !== PENDING) return takers.length > 0
  const callers = program.callsTo(method.reference)
  return depth > 0 && callers.length > 0 && callers.every((call) => goesToSystemOnly(program, call.method, depth - 1))
}
