import type { ApkFacts } from '../../apk/apk-facts.ts'

const LOCATION = ['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION']
const WIFI = ['ACCESS_WIFI_STATE']
const TELEPHONE = ['READ_PHONE_STATE', 'READ_PRIVILEGED_PHONE_STATE']

/** Kind of information -> the permissions of which Android asks one before it gives any; other kinds are free. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  location: LOCATION,
  cell_info: LOCATION,
  imei: TELEPHONE,
  imsi: TELEPHONE,
  iccid: TELEPHONE,
  phone_number: [...TELEPHONE, 'READ_PHONE_NUMBERS', 'READ_SMS'],
  contacts: ['READ_CONTACTS'],
  call_log: ['READ_CALL_LOG'],
  sms: ['READ_SMS', 'RECEIVE_SMS', 'RECEIVE_MMS', 'RECEIVE_WAP_PUSH'],
  calendar: ['READ_CALENDAR'],
  audio: ['RECORD_AUDIO'],
  wifi_info: WIFI,
  mac_of_wifi: WIFI,
  photo: ['CAMERA'],
}

/**
 * Whether Android gives the package this kind of information: calls of an application without the permission are refused. A library
 * (no manifest) has the permissions of its application, a shared user id those of other packages.
 */
export function mayTake(facts: ApkFacts | null, info: string): boolean {
  const needed = NEEDED[info]
  if (!needed || !facts || facts.sharedUserId) return true
  return facts.permissions.some(({ name }) => needed.some((one) => name === `android.permission.${one}`))
}

/** Whether Android lets the package write files to shared storage; from target SDK 30 on an application may add its own without a permission. */
export function mayWriteShared(facts: ApkFacts | null, targetSdk: number): boolean {
  if (!facts || facts.sharedUserId || targetSdk >= 29 || targetSdk < 4) return true
  return facts.permissions.some(({ name }) => /\.(?:WRITE|MANAGE)_EXTERNAL_STORAGE$/.test(name))
}

const LEAVES = new Set(['android.permission.INTERNET', 'android.permission.SEND_SMS'])

/** Whether Android lets the package send anything off the device; a library and a shared user id have the permissions of others. */
export const mayLeave = (facts: ApkFacts | null): boolean =>
  !facts || facts.sharedUserId !== null || facts.permissions.some(({ name }) => LEAVES.has(name))
