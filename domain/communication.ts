/** Communication protection: keys of applications, the policy of gateways, and why a gateway refuses a message. */

export const KEY_STATES = {
  active: { zh: '使用中', en: 'In use' },
  retiring: { zh: '轮换中', en: 'Being replaced' },
  revoked: { zh: '已撤销', en: 'Revoked' },
  expired: { zh: '已停用', en: 'Ended' },
} as const
export type KeyState = keyof typeof KEY_STATES

/** Times in epoch ms. `closes_at`: of a key that another one replaced, when messages under it are refused. */
type KeyTimes = { expires_at: number; closes_at: number | null; revoked_at: number | null }

export function keyState({ expires_at, closes_at, revoked_at }: KeyTimes, now: number): KeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at <= now || (closes_at !== null && closes_at <= now)) return 'expired'
  return closes_at === null ? 'active' : 'retiring'
}

/** Whether a gateway accepts messages under the key. */
export function isKeyAccepted(key: KeyTimes, now: number): boolean {
  const state = keyState(key, now)
  return state === 'active' || state === 'retiring'
}

/** When messages under the key end: the earlier one of expiry and close. */
export function keyEnd({ expires_at, closes_at }: Pick<KeyTimes, 'expires_at' | 'closes_at'>): number {
  return closes_at === null ? expires_at : Math.min(expires_at, closes_at)
}

/** So long before its end an active key is announced to those who may replace it. */
export const KEY_WARNING_DAYS = 30

export const KEY_DAYS = { least: 1, most: 1096, preset: 365 } as const
export const OVERLAP_DAYS = { least: 0, most: 180, preset: 30 } as const

const EXTENSION_DAYS = 30
const DAY_MS = 86_400_000

/** An extension of a replaced key: from now to its new end, and how much later that is than now planned; 0 where it cannot be later. */
export function keyExtension(
  key: Pick<KeyTimes, 'expires_at' | 'closes_at'>,
  now: number,
): { days: number; more: number } {
  const daysTo = (at: number) => Math.ceil((at - now) / DAY_MS)
  const left = daysTo(keyEnd(key))
  const days = Math.min(left + EXTENSION_DAYS, OVERLAP_DAYS.most, daysTo(key.expires_at))
  return { days, more: Math.max(0, days - left) }
}

/** What a gateway does with requests that are not sealed. */
export const GATEWAY_POLICIES = {
  observe: { zh: '仅观察', en: 'Observe' },
  enforce: { zh: '执行', en: 'Enforce' },
} as const
export type GatewayPolicy = keyof typeof GATEWAY_POLICIES
export const GATEWAY_POLICY_NAMES = Object.keys(GATEWAY_POLICIES) as GatewayPolicy[]

/** A gateway says every ten seconds that it runs; after so long it counts as gone. */
export const GATEWAY_GONE_MS = 35_000

/** The number as people see it. */
export function keyName(kid: number): string {
  return `k-${String(kid).padStart(4, '0')}`
}

/** Outcomes of a request at a gateway that are no refusals; all others are keys of REFUSAL_REASONS. */
export const OUTCOMES_NOT_REFUSED: readonly string[] = ['accepted', 'handshake', 'plain_passed']

/** Why a gateway refuses. The client learns three things only: refused, unknown key, clock. */
export const REFUSAL_REASONS: Readonly<Record<string, { zh: string; en: string }>> = {
  replayed: { zh: '重放，序号已用过', en: 'Replayed: number used before' },
  hello_replayed: { zh: '重放的握手', en: 'Replayed handshake' },
  tag: { zh: '校验不符，内容被改动', en: 'Tag does not fit: changed' },
  clock: { zh: '时间相差超过 60 秒', en: 'Clock differs by more than 60 s' },
  session_unknown: { zh: '会话不存在', en: 'Unknown session' },
  session_expired: { zh: '会话已过期', en: 'Session has ended' },
  key_unknown: { zh: '密钥编号不存在', en: 'Unknown key number' },
  key_expired: { zh: '密钥已停用', en: 'Key has ended' },
  key_revoked: { zh: '密钥已撤销', en: 'Key was revoked' },
  malformed: { zh: '长度或编码不对', en: 'Wrong length or encoding' },
  version: { zh: '版本或套件不对', en: 'Wrong version or suite' },
  point: { zh: '公钥不在曲线上', en: 'Public key not on the curve' },
  sequence: { zh: '序号超出范围', en: 'Number out of range' },
  body: { zh: '解密后的格式不对', en: 'Wrong form after decryption' },
  plain: { zh: '明文请求', en: 'Plain request' },
  rate: { zh: '请求过于频繁', en: 'Too many requests' },
  too_large: { zh: '内容过大', en: 'Too large' },
  busy: { zh: '网关繁忙或数据库不可用', en: 'Busy, or the database is away' },
  slow: { zh: '发送过慢', en: 'Sent too slowly' },
}
