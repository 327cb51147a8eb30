import type { NewAttribute } from '#engines/axml/axml-editor.ts'
import { RESOURCE } from './bank-resources.ts'
import { BANK_ID } from './bank-signer.ts'
import { binaryXml, type NewElement } from './binary-xml.ts'

const REFERENCE = 0x01
const INTEGER = 0x10
/** android:style/Theme.Material.Light */
const THEME = 0x01030237
const integer = (data: number) => ({ type: INTEGER, data })
const reference = (data: number) => ({ type: REFERENCE, data })

export interface BankVersion {
  readonly name: string
  readonly code: number
  /** What is wrong in it: backup, traffic without TLS, a screen with account data that every app opens. */
  readonly weak: boolean
}

/** AndroidManifest.xml of a version of the bank. */
export function bankManifest({ name, code, weak }: BankVersion): Uint8Array {
  const application: NewElement = {
    name: 'application',
    attributes: [
      { name: 'name', value: `${BANK_ID}.BankApplication` },
      { name: 'label', value: reference(RESOURCE.label) },
      { name: 'icon', value: reference(RESOURCE.icon) },
      { name: 'theme', value: reference(THEME) },
      { name: 'allowBackup', value: weak },
      { name: 'supportsRtl', value: true },
      ...(weak
        ? [{ name: 'usesCleartextTraffic', value: true }]
        : [{ name: 'networkSecurityConfig', value: reference(RESOURCE.network) }]),
    ],
    children: [
      component('activity', 'LoginActivity', true, ['android.intent.action.MAIN', 'android.intent.category.LAUNCHER']),
      component('activity', 'AccountsActivity', false),
      component('activity', 'StatementActivity', weak),
      component('activity', 'TransferActivity', false),
      component('activity', 'SettingsActivity', false),
      component('activity', 'HelpActivity', false),
      component('service', 'PaymentService', false),
      component('receiver', 'UpdateReceiver', false, ['android.intent.action.MY_PACKAGE_REPLACED']),
    ],
  }
  return binaryXml({
    name: 'manifest',
    attributes: [
      { name: 'versionCode', value: integer(code) },
      { name: 'versionName', value: name },
      { name: 'package', plain: true, value: BANK_ID },
    ],
    children: [
      {
        name: 'uses-sdk',
        attributes: [
          { name: 'minSdkVersion', value: integer(26) },
          { name: 'targetSdkVersion', value: integer(35) },
        ],
      },
      { name: 'uses-permission', attributes: [{ name: 'name', value: 'android.permission.INTERNET' }] },
      application,
    ],
  })
}

function component(kind: string, name: string, exported: boolean, filter: readonly string[] = []): NewElement {
  const attributes: NewAttribute[] = [
    { name: 'name', value: `${BANK_ID}.${name}` },
    { name: 'exported', value: exported },
  ]
  const filtered = filter.map((value) => ({
    name: value.includes('.category.') ? 'category' : 'action',
    attributes: [{ name: 'name', value }],
  }))
  return { name: kind, attributes, children: filter.length ? [{ name: 'intent-filter', children: filtered }] : [] }
}
