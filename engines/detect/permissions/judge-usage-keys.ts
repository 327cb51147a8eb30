import { IOS_USAGE_KEYS, type UsageKeyRecord } from '../catalogue/permission-data.ts'
import { APPLICATION_TYPE_RULES } from '../catalogue/privacy-data.ts'
import type { InspectedPackage, IosCode } from '../input/inspected-package.ts'
import type { PermissionResult } from '../result/scan-result.ts'

/** Android permission group of an iOS usage description, to ask the rules of an application type. */
const ALLOWED_BY: Readonly<Record<string, string>> = {
  NSCameraUsageDescription: 'CAMERA',
  NSMicrophoneUsageDescription: 'RECORD_AUDIO',
  NSPhotoLibraryUsageDescription: 'READ_MEDIA_IMAGES',
  NSPhotoLibraryAddUsageDescription: 'READ_MEDIA_IMAGES',
  NSLocationWhenInUseUsageDescription: 'ACCESS_FINE_LOCATION',
  NSLocationAlwaysAndWhenInUseUsageDescription: 'ACCESS_BACKGROUND_LOCATION',
  NSLocationAlwaysUsageDescription: 'ACCESS_BACKGROUND_LOCATION',
  NSContactsUsageDescription: 'READ_CONTACTS',
  NSCalendarsUsageDescription: 'READ_CALENDAR',
  NSBluetoothAlwaysUsageDescription: 'BLUETOOTH_SCAN',
  NSMotionUsageDescription: 'ACTIVITY_RECOGNITION',
  NSHealthShareUsageDescription: 'BODY_SENSORS',
}

/** Usage descriptions of an iOS application against the classes, selectors and symbols that need them. */
export function judgeUsageKeys(inspected: InspectedPackage, types: readonly string[]): readonly PermissionResult[] {
  const { ios } = inspected
  if (!ios) return []
  const rules = types.flatMap((type) => APPLICATION_TYPE_RULES.get(type) ?? [])
  const allowed = rules.length ? new Set(rules.flatMap((rule) => rule.permissions)) : null
  const results: PermissionResult[] = []
  for (const record of IOS_USAGE_KEYS) {
    const declared = record.key in ios.info
    const found = ios.encrypted ? [] : record.classes.filter((name) => names(ios, name))
    if (!declared && !needsKey(record, found)) continue
    const android = ALLOWED_BY[record.key]
    results.push({
      name: record.key,
      title: { zh: record.zh, en: record.en },
      group: 'usage_description',
      dangerous: true,
      state: found.length ? (declared ? 'used' : 'undeclared') : ios.encrypted ? 'unknown' : 'unused',
      excessive: allowed && declared && android !== undefined && !allowed.has(`android.permission.${android}`),
      personalInfo: record.info,
      uses: found.map((name) => ({
        owner: null,
        place: { entry: ios.executable, offset: -1, class: name.replace(/^\w+:/, '') },
      })),
    })
  }
  return results
}

function names(ios: IosCode, name: string): boolean {
  if (name.startsWith('selector:')) return ios.selectors.has(name.slice(9))
  if (name.startsWith('import:')) return ios.imports.has(name.slice(7))
  return ios.classes.has(name)
}

/**
 * A missing key is reported only of the usual one of its classes: what also serves an older or rarer key (`CLLocationManager`) or works without
 * any (`AVCaptureDevice` is asked by the camera's key first) would be reported several times.
 */
function needsKey(record: UsageKeyRecord, found: readonly string[]): boolean {
  return found.some((name) => IOS_USAGE_KEYS.find((one) => one.classes.includes(name)) === record)
}
