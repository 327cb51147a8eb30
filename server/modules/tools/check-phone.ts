import type { Text } from '#contracts/detection/scan-result.ts'
import type { PhoneCheck, PhoneCheckName } from '#contracts/http/tools.ts'
import { AdbError } from '../../platform/adb/adb-error.ts'
import type { AdbPhone } from '../../platform/adb/adb-phone.ts'

type Found = Omit<PhoneCheck['checks'][number], 'name'>
/** Asks the phone; null where it does not know the command, fails or takes too long. */
type Ask = (...words: string[]) => Promise<string | null>

/** All checks run side by side, within the 15 s of a request. */
const EACH_MS = 6000
const MOST_BYTES = 256 * 1024
const SCREEN_BYTES = 12 * 1024 * 1024
const LEAST_SDK = 24
const [LEAST_KB, ENOUGH_KB] = [200 * 1024, 1024 * 1024]
const ENOUGH_PERCENT = 30
const [CLOSE_MS, FAR_MS] = [60_000, 86_400_000]
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

const say = (state: Found['state'], zh: string, en: string): Found => ({ state, detail: { zh, en } })
const UNKNOWN = say('unknown', '手机未说明', 'the phone does not say')
/** What a phone says goes to the screen: one line of printable characters. */
const plain = (text: string, most = 100) =>
  text
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim()
    .slice(0, most)

/** Looks at one phone with commands that read only. Throws AdbError where it does not answer at all. `now`: epoch milliseconds. */
export async function checkPhone(phone: AdbPhone, now: () => number): Promise<PhoneCheck> {
  // Alone and first: where this fails nothing else can be said.
  const begin = now()
  const first = await phone.shell(['echo', 'ready'], { ms: EACH_MS, bytes: 100 })
  const took = now() - begin
  const ask: Ask = async (...words) => {
    try {
      const { exit, output } = await phone.shell(words, { ms: EACH_MS, bytes: MOST_BYTES })
      return exit !== 0 && exit !== null ? null : output.toString('utf8')
    } catch (error) {
      if (error instanceof AdbError) return null // this one check stays unknown
      throw error
    }
  }
  const property = async (name: string) => plain((await ask('getprop', name)) ?? '')
  const [model, maker, release, sdkText] = await Promise.all(
    ['ro.product.model', 'ro.product.manufacturer', 'ro.build.version.release', 'ro.build.version.sdk'].map(property),
  )
  const sdk = /^\d{1,4}$/.test(sdkText ?? '') ? Number(sdkText) : 0
  const runs = first.exit === 0 && first.output.toString('utf8').trim() === 'ready'
  const found: Record<PhoneCheckName, Found | Promise<Found>> = {
    commands: runs
      ? say('good', `${took} 毫秒内应答`, `answers in ${took} ms`)
      : say('bad', '命令没有正常结束', 'a command does not end as it should'),
    version:
      sdk === 0
        ? UNKNOWN
        : say(sdk >= LEAST_SDK ? 'good' : 'bad', `Android ${release}（API ${sdk}）`, `Android ${release} (API ${sdk})`),
    unlocked: lockOf(ask),
    storage: storageOf(ask),
    battery: batteryOf(ask),
    clock: clockOf(ask, now),
    installer: installerOf(ask),
    screenshot: screenshotOf(phone),
    usage: usageOf(ask),
    boot: bootOf(ask, property),
  }
  const checks = await Promise.all(
    (Object.keys(found) as PhoneCheckName[]).map(async (name) => ({ name, ...(await found[name]) })),
  )
  return { serial: phone.serial, model: model ?? '', maker: maker ?? '', release: release ?? '', sdk, checks }
}

async function lockOf(ask: Ask): Promise<Found> {
  const [power, trust] = await Promise.all([ask('dumpsys', 'power'), ask('dumpsys', 'trust')])
  const awake = /mWakefulness=(\w+)/.exec(power ?? '')?.[1]
  const locked = /deviceLocked=([01])/.exec(trust ?? '')?.[1]
  if (awake === undefined && locked === undefined) return UNKNOWN
  if (locked === '1') return say('bad', '已锁定，需要解锁', 'locked: unlock it')
  const isAwake = awake === undefined || awake === 'Awake'
  return isAwake
    ? say('good', '未锁定', 'not locked')
    : say('warn', '未锁定，屏幕已关闭（检测时会点亮）', 'not locked, the screen is off (a detection wakes it)')
}

async function storageOf(ask: Ask): Promise<Found> {
  const lines = ((await ask('df', '-k', '/data')) ?? '').trim().split('\n')
  const free = Number(lines.at(-1)?.trim().split(/\s+/)[3])
  if (lines.length < 2 || !Number.isFinite(free)) return UNKNOWN
  const size = `${(free / 1024 / 1024).toFixed(1)} GB`
  const state = free < LEAST_KB ? 'bad' : free < ENOUGH_KB ? 'warn' : 'good'
  return say(state, `可用 ${size}`, `${size} free`)
}

async function batteryOf(ask: Ask): Promise<Found> {
  const text = (await ask('dumpsys', 'battery')) ?? ''
  const level = Number(/^\s*level: (\d{1,3})\s*$/m.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isFinite(level)) return UNKNOWN
  const powered = /^\s*(?:AC|USB|Wireless|Dock) powered: true\s*$/m.test(text)
  return say(
    level >= ENOUGH_PERCENT || powered ? 'good' : 'warn',
    `${level}%${powered ? '，正在充电' : ''}`,
    `${level}%${powered ? ', charging' : ''}`,
  )
}

async function clockOf(ask: Ask, now: () => number): Promise<Found> {
  const seconds = /^(\d{9,11})/.exec((await ask('date', '+%s.%N')) ?? '')?.[1]
  if (seconds === undefined) return UNKNOWN
  const off = Math.abs(Number(seconds) * 1000 - now())
  const text = off < 120_000 ? `${Math.round(off / 1000)} s` : `${Math.round(off / 60_000)} min`
  const state = off <= CLOSE_MS ? 'good' : off <= FAR_MS ? 'warn' : 'bad'
  return say(state, `与服务器相差 ${text}`, `${text} from the time of the server`)
}

async function installerOf(ask: Ask): Promise<Found> {
  const text = (await ask('pm', 'path', 'android')) ?? ''
  return text.startsWith('package:') ? say('good', '可用', 'available') : say('bad', '没有应答', 'does not answer')
}

async function screenshotOf(phone: AdbPhone): Promise<Found> {
  try {
    const bytes = await phone.raw(['screencap', '-p'], { ms: EACH_MS, bytes: SCREEN_BYTES })
    return bytes?.subarray(0, 4).equals(PNG)
      ? say('good', '可用（图片未保存）', 'works (the picture was not kept)')
      : say('warn', '没有得到图片', 'no picture came')
  } catch (error) {
    if (error instanceof AdbError) return say('warn', '没有得到图片', 'no picture came')
    throw error
  }
}

async function usageOf(ask: Ask): Promise<Found> {
  const text = await ask('cmd', 'appops', 'get', 'android')
  return text !== null && !/^(?:Error|Exception)/m.test(text)
    ? say('good', '可读取', 'can be read')
    : say('warn', '无法读取，结果中将缺少这一部分', 'cannot be read: results will lack this part')
}

async function bootOf(ask: Ask, property: (name: string) => Promise<string>): Promise<Found> {
  const [boot, build, su] = await Promise.all([
    property('ro.boot.verifiedbootstate'),
    property('ro.build.type'),
    ask('which', 'su'),
  ])
  const odd: Text[] = []
  if (boot !== '' && boot !== 'green') odd.push({ zh: `启动验证：${boot}`, en: `verified boot: ${boot}` })
  if (build !== '' && build !== 'user') odd.push({ zh: `系统版本类型：${build}`, en: `build type: ${build}` })
  if (su?.trim().startsWith('/')) odd.push({ zh: '存在 su 程序', en: 'a su program is there' })
  if (odd.length > 0) return say('warn', odd.map(({ zh }) => zh).join('，'), odd.map(({ en }) => en).join(', '))
  return boot === 'green' ? say('good', '启动验证通过', 'verified boot passed') : UNKNOWN
}
