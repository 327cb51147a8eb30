import { createHash } from 'node:crypto'
import { bankIcon } from './bank-icon.ts'
import { BANK_ID } from './bank-signer.ts'
import { binaryXml, type NewElement } from './binary-xml.ts'
import { type ResourceValues, resourceTable } from './resource-table.ts'

/** Ids that the manifest names; the texts of screens follow `label` in this order, which the sources count on. */
export const RESOURCE = { icon: 0x7f010000, label: 0x7f020000, network: 0x7f030000 } as const

const TEXTS = [
  ['app_name', '掌上银行', 'Pocket Bank'],
  ['login', '登录', 'Sign in'],
  ['mobile', '手机号', 'Mobile number'],
  ['password', '登录密码', 'Password'],
  ['accounts', '我的账户', 'My accounts'],
  ['transfer', '转账', 'Transfer'],
  ['payee', '收款账号', 'Account of the payee'],
  ['amount', '金额（元）', 'Amount (yuan)'],
  ['confirm', '确认转账', 'Transfer now'],
  ['settings', '设置', 'Settings'],
  ['help', '帮助', 'Help'],
  ['privacy_policy', '隐私政策', 'Privacy policy'],
  ['statement', '账户明细', 'Statement'],
  ['not_signed_in', '登录失败，请重试', 'Not signed in, please try again'],
  ['sent', '转账已提交', 'The transfer was sent'],
  ['check_transfer', '请检查账号和金额', 'Please check account and amount'],
  ['rooted', '此设备已被 Root，无法登录', 'This device is rooted, signing in is not possible'],
] as const
const ICONS = [
  ['mdpi', 160, 48],
  ['xhdpi', 320, 96],
  ['xxxhdpi', 640, 192],
] as const
const NETWORK_FILE = 'res/xml/network_security_config.xml'

/** The files of the bank's resources; `pinned` ones have a network security configuration. */
export function bankResources(pinned: boolean): Map<string, Uint8Array> {
  const icons = ICONS.map(([name, density, side]) => ({ path: `res/mipmap-${name}/ic_launcher.png`, density, side }))
  const texts = (column: 1 | 2) => TEXTS.map((row) => [row[0], row[column]] as const)
  const lists: ResourceValues[] = [
    ...icons.map(({ path, density }) => ({ type: 'mipmap', density, values: [['ic_launcher', path]] as const })),
    { type: 'string', values: texts(1) },
    { type: 'string', language: 'en', values: texts(2) },
    ...(pinned ? [{ type: 'xml', values: [['network_security_config', NETWORK_FILE]] as const }] : []),
  ]
  return new Map([
    ['resources.arsc', resourceTable(BANK_ID, lists)],
    ...icons.map(({ path, side }) => [path, bankIcon(side)] as const),
    ...(pinned ? [[NETWORK_FILE, binaryXml(NETWORK)] as const] : []),
  ])
}

/** No connection without TLS, and two keys that the bank's servers may have. */
const NETWORK: NewElement = {
  name: 'network-security-config',
  children: [
    {
      name: 'domain-config',
      attributes: [{ name: 'cleartextTrafficPermitted', plain: true, value: false }],
      children: [
        {
          name: 'domain',
          attributes: [{ name: 'includeSubdomains', plain: true, value: true }],
          text: 'pocketbank.example',
        },
        {
          name: 'pin-set',
          children: ['this year', 'next year'].map((key) => ({
            name: 'pin',
            attributes: [{ name: 'digest', plain: true, value: 'SHA-256' }],
            text: createHash('sha256').update(`key of the bank's servers, ${key}`).digest('base64'),
          })),
        },
      ],
    },
  ],
}
