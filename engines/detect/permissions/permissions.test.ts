import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, type MadePackage, makePackage } from '#tests/support/detect-package.ts'
import { ANDROID_PERMISSIONS, FREE_INFORMATION } from '../catalogue/permission-data.ts'
import type { IosCode } from '../input/inspected-package.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'
import { readApiReference } from './api-reference.ts'
import { judgeUsageKeys } from './judge-usage-keys.ts'

const asks = (...names: string[]) =>
  names.map((name) => element('uses-permission', { name: `android.permission.${name}` }))
function permissionsOf(made: MadePackage, applicationTypes: readonly string[] = []) {
  const { permissions } = scan(makePackage(made), { ...SCAN_CHOICES, kinds: ['compliance'], applicationTypes })
  return new Map(permissions.map((one) => [one.name.replace('android.permission.', ''), one]))
}
const own = (write: Parameters<typeof method>[1]) => [
  { name: 'Lorg/maker/app/Main;', superclass: 'Landroid/app/Activity;', methods: [method('onClick()V', write)] },
]
const CAMERA = 'Landroid/hardware/Camera;->open()Landroid/hardware/Camera;'

describe('[DET-03] permissions', () => {
  test('declared and called is used, with the location and its owner; declared alone is unused; without known API unknown', () => {
    const found = permissionsOf({
      others: asks('CAMERA', 'READ_CONTACTS', 'DUMP'),
      classes: own((body) => body.static(CAMERA)),
    })
    const camera = found.get('CAMERA')!
    expect(camera).toMatchObject({ state: 'used', dangerous: true, group: 'camera', excessive: null })
    expect(camera.uses).toHaveLength(1)
    expect(camera.uses[0]).toMatchObject({
      owner: null,
      place: { entry: 'classes.dex', class: 'org.maker.app.Main', method: 'onClick()V' },
    })
    expect(camera.uses[0]!.place.snippet?.join('\n')).toContain('Camera')
    expect(found.get('READ_CONTACTS')).toMatchObject({ state: 'unused', uses: [] })
    expect(found.get('DUMP')).toMatchObject({ state: 'unknown' })
  })

  test('called and not declared is undeclared, unless another declared permission covers the call', () => {
    const location = (body: Parameters<NonNullable<Parameters<typeof method>[1]>>[0]) =>
      void body.virtual(
        'Landroid/location/LocationManager;->getLastKnownLocation(Ljava/lang/String;)Landroid/location/Location;',
        null,
        'gps',
      )
    expect(permissionsOf({ classes: own(location) }).get('ACCESS_FINE_LOCATION')).toMatchObject({ state: 'undeclared' })
    const coarse = permissionsOf({ others: asks('ACCESS_COARSE_LOCATION'), classes: own(location) })
    expect([...coarse.keys()]).toEqual(['ACCESS_COARSE_LOCATION'])
    expect(coarse.get('ACCESS_COARSE_LOCATION')).toMatchObject({ state: 'used' })
  })

  test('arguments, addresses of providers, actions and inherited classes count as use', () => {
    const found = permissionsOf({
      others: asks('READ_SMS', 'RECEIVE_BOOT_COMPLETED', 'BODY_SENSORS', 'ACTIVITY_RECOGNITION'),
      components: [
        element(
          'receiver',
          { name: '.Boot', exported: false },
          element('intent-filter', {}, element('action', { name: 'android.intent.action.BOOT_COMPLETED' })),
        ),
        element('service', {
          name: '.Watch',
          exported: true,
          permission: 'android.permission.BIND_ACCESSIBILITY_SERVICE',
        }),
      ],
      classes: [
        ...own((body) => {
          body.static('Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;', 'content://sms/inbox')
          body.virtual('Landroid/hardware/SensorManager;->getDefaultSensor(I)Landroid/hardware/Sensor;', null, 21)
        }),
        { name: 'Lorg/maker/app/Watch;', superclass: 'Landroid/accessibilityservice/AccessibilityService;' },
      ],
    })
    const states = Object.fromEntries([...found].map(([name, { state }]) => [name, state]))
    expect(states).toEqual({
      READ_SMS: 'used',
      RECEIVE_BOOT_COMPLETED: 'used',
      BODY_SENSORS: 'used',
      ACTIVITY_RECOGNITION: 'unused',
      BIND_ACCESSIBILITY_SERVICE: 'used',
    })
  })

  test('beyond the application type is excessive; several types add up; normal permissions never are', () => {
    const made = { others: asks('CAMERA', 'READ_CONTACTS', 'INTERNET', 'RECORD_AUDIO') }
    const excessive = (types: readonly string[]) =>
      [...permissionsOf(made, types)].filter(([, one]) => one.excessive).map(([name]) => name)
    expect(excessive(['news'])).toEqual(['CAMERA', 'READ_CONTACTS', 'RECORD_AUDIO'])
    expect(excessive(['news', 'short_video'])).toEqual(['READ_CONTACTS'])
    expect(excessive([])).toEqual([])
  })

  test('what a compatibility library could call says nothing about the application', () => {
    const found = permissionsOf({
      others: asks('CAMERA'),
      classes: [{ name: 'Landroidx/core/Compat;', methods: [method('static open()V', (body) => body.static(CAMERA))] }],
    })
    expect(found.get('CAMERA')).toMatchObject({ state: 'unused' })
  })

  test('usage descriptions of iOS against classes, selectors and symbols', () => {
    const ios: IosCode = {
      executable: 'Payload/App.app/App',
      info: { NSCameraUsageDescription: 'Scan codes', NSContactsUsageDescription: 'Friends' },
      classes: new Set(['AVCaptureDevice', 'CLLocationManager']),
      selectors: new Set(),
      imports: new Set(),
      frameworks: new Set(),
      encrypted: false,
    }
    const inspected = { ios } as Parameters<typeof judgeUsageKeys>[0]
    const states = Object.fromEntries(judgeUsageKeys(inspected, []).map((one) => [one.name, one.state]))
    expect(states).toEqual({
      NSCameraUsageDescription: 'used',
      NSContactsUsageDescription: 'unused',
      NSLocationWhenInUseUsageDescription: 'undeclared',
    })
    const encrypted = judgeUsageKeys({ ios: { ...ios, encrypted: true } } as typeof inspected, [])
    expect(encrypted.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
  })

  test('every line of the data is a reference that can be asked', () => {
    for (const line of [...ANDROID_PERMISSIONS, ...FREE_INFORMATION].flatMap(({ apis }) => apis)) {
      const reference = readApiReference(line)
      if (reference.kind === 'code') expect(reference.pattern, line).toMatch(/^L[\w/$]+;->/)
      else if (reference.kind === 'class') expect(reference.descriptor, line).toMatch(/^L[\w/$]+;$/)
      else expect(reference.value, line).toBeTruthy()
    }
  })
})
