import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_PLACE } from '#engines/geo/place.ts'
import { type AdbServer, startAdbServer } from '#mocks/phone/adb-server.ts'
import { type Behaviour, TELLING } from '#mocks/phone/behaviour.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { phonePackage } from '#tests/support/phone-package.ts'
import { AdbPhone } from '../../../platform/adb/adb-phone.ts'
import { type PhoneOrder, PhoneRefused } from './prepare-phone.ts'
import { runOnPhone } from './run-on-phone.ts'

const ID = 'org.maker.wallet'
const PACKAGE = phonePackage(ID)
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let server: AdbServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function phoneWith(behaviour: Behaviour): Promise<SimulatedPhone> {
  const phone = new SimulatedPhone({ behaviours: { [ID]: behaviour } })
  server = await startAdbServer([phone])
  return phone
}

function order(phone: SimulatedPhone, more: Partial<PhoneOrder> = {}): PhoneOrder & { said: string[] } {
  const said: string[] = []
  return {
    said,
    phone: new AdbPhone({ host: '127.0.0.1', port: server?.port ?? 0 }, phone.serial),
    id: ID,
    sha256: sha(PACKAGE),
    mainActivity: `${ID}.Main`,
    exportedActivities: [`${ID}.Share`],
    permissions: ['android.permission.ACCESS_FINE_LOCATION', 'android.permission.READ_CONTACTS'],
    file: { size: PACKAGE.length, stream: () => Readable.from([PACKAGE]) },
    lengths: { untouched: 2, exercise: 4 },
    signal: new AbortController().signal,
    stage: () => {},
    log: (_, text) => said.push(text.en),
    placeOf: (address) => ({ ...NO_PLACE, country: address === '8.8.8.8' ? 'US' : 'CN' }),
    clock: () => performance.now(),
    ...more,
  }
}

describe('[DET-01] an application on a simulated phone', { timeout: 30_000 }, () => {
  test('is installed, watched before and after the first input, and removed', async () => {
    const phone = await phoneWith({ ...TELLING, crashes: [`${ID}.Share`] })
    const { seen, missing, pictures } = await runOnPhone(order(phone))
    expect([...missing]).toEqual([])
    expect(seen.phone).toEqual({
      serial: 'simulated-1',
      model: 'Simulated phone',
      maker: 'Simulated',
      release: '14',
      sdk: 34,
    })
    expect(seen.run).toMatchObject({ complete: true, install: 'fresh', tidied: true, privateFiles: true })
    expect(seen.run.inputs).toBeGreaterThan(5)
    const use = (op: string) => seen.uses.find((one) => one.op === op)
    expect(use('READ_CLIPBOARD')).toMatchObject({ personal: true, beforeInput: true, refused: null })
    // Refused before the first input, used once it was granted.
    expect(use('FINE_LOCATION')).toMatchObject({ beforeInput: false })
    expect(use('FINE_LOCATION')?.first).toBeGreaterThan(seen.run.firstInput ?? Number.POSITIVE_INFINITY)
    expect(use('VIBRATE')).toMatchObject({ personal: false })
    const to = (address: string) => seen.destinations.find((one) => one.address === address)
    expect(to('8.8.8.8')).toMatchObject({
      host: 'telemetry.example.net',
      where: 'abroad',
      country: 'US',
      beforeInput: true,
    })
    expect(to('223.5.5.5')).toMatchObject({ where: 'home', cleartext: false })
    expect(to('180.76.76.76')).toMatchObject({ cleartext: true, beforeInput: false })
    expect(to('192.168.1.1')).toMatchObject({ where: 'local', protocol: 'udp' })
    expect(seen.listening).toMatchObject([{ protocol: 'tcp', address: '0.0.0.0', port: 8733, loopback: false }])
    expect(seen.incidents.map(({ kind, activity }) => [kind, activity])).toEqual([
      ['strict_mode', null],
      ['crash', `${ID}.Share`],
    ])
    expect(seen.activities).toEqual([{ name: `${ID}.Share`, outcome: 'crashed', detail: '' }])
    const leaks = seen.leaks.map(({ kind, area }) => `${kind} ${area}`).sort()
    expect(leaks).toEqual(['identity_card shared', 'mobile_number log', 'password log', 'password private'])
    expect(JSON.stringify(seen)).not.toContain('Tr0ub4dor&3')
    expect(seen.files.map(({ path, area }) => `${area} ${path}`).sort()).toEqual([
      'private ./files/open.txt',
      'private ./shared_prefs/account.xml',
      'shared /sdcard/Download/wallet-report.txt',
    ])
    expect(seen.processes.map(({ name }) => name).sort()).toEqual([ID, `${ID}:push`])
    expect(seen.permissions.find(({ name }) => name.endsWith('READ_CONTACTS'))).toMatchObject({
      before: false,
      after: true,
      byUs: true,
    })
    expect(seen.screenshots.map(({ when, width }) => [when, width])).toEqual([
      ['untouched', 360],
      ['exercise', 360],
      ['end', 360],
    ])
    expect(pictures).toHaveLength(3)
    expect(seen.moments.map(({ kind }) => kind)).toEqual(['start', 'first_input', 'activity', 'crash', 'end'])
    expect(phone.apps.size).toBe(0)
    expect(phone.shared.has(`/data/local/tmp/.appwarden.${ID}`)).toBe(false)
  })

  test('a phone that is unplugged in the middle leaves what was seen until then', async () => {
    const phone = await phoneWith(TELLING)
    const running = runOnPhone(order(phone))
    await sleep(2500)
    phone.gone = true
    const { seen, missing, notes } = await running
    expect(seen.run).toMatchObject({ complete: false, tidied: false })
    expect(seen.uses.map(({ op }) => op)).toContain('READ_CLIPBOARD')
    expect(seen.moments.at(-1)?.kind).toBe('unplugged')
    expect(missing).toEqual(new Set(['private_files', 'external_files', 'activities']))
    expect(notes.map(({ key }) => key)).toEqual(expect.arrayContaining(['unplugged', 'not-tidied']))
    // Plugged in again, the next run finds what it left and starts again.
    phone.gone = false
    const again = order(phone, { lengths: { untouched: 1, exercise: 1 } })
    expect((await runOnPhone(again)).seen.run).toMatchObject({ complete: true, install: 'fresh', tidied: true })
    expect(again.said[0]).toMatch(/cut off/)
    expect(phone.apps.size).toBe(0)
  })

  test('stopping ends it and tidies the phone', async () => {
    const phone = await phoneWith({})
    const stop = new AbortController()
    const running = runOnPhone(order(phone, { signal: stop.signal }))
    setTimeout(() => stop.abort(), 1000)
    await expect(running).rejects.toThrow(/abort/i)
    expect(phone.apps.size).toBe(0)
    expect(phone.asked.at(-1)).toBe(`rm -f /data/local/tmp/.appwarden.${ID}`)
  })

  test('what was on the phone before stays: the same package is used, another build is not touched', async () => {
    const phone = await phoneWith({})
    phone.install(PACKAGE)
    const { seen } = await runOnPhone(order(phone, { lengths: { untouched: 1, exercise: 1 } }))
    expect(seen.run).toMatchObject({ install: 'present', tidied: true })
    expect(phone.apps.has(ID)).toBe(true)
    expect(phone.asked.some((line) => /grant|uninstall|install/.test(line))).toBe(false)
    phone.install(phonePackage(ID, { version: '0.9' }))
    const refused = await runOnPhone(order(phone)).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(PhoneRefused)
    expect((refused as PhoneRefused).text.en).toMatch(/another build of it \(0\.9\)/)
    expect(phone.app(ID)?.sha256).toBe(sha(phonePackage(ID, { version: '0.9' })))
  })

  test('a refused installation says why and leaves nothing; a release build keeps its private files', async () => {
    const phone = await phoneWith({ refuse: 'INSTALL_FAILED_NO_MATCHING_ABIS' })
    const refused = await runOnPhone(order(phone)).catch((error: unknown) => error)
    expect((refused as PhoneRefused).text.en).toMatch(/INSTALL_FAILED_NO_MATCHING_ABIS/)
    expect(phone.shared.has(`/data/local/tmp/.appwarden.${ID}`)).toBe(false)
    await server?.close()
    const other = await phoneWith(TELLING)
    const release = phonePackage(ID, { debuggable: false })
    const { missing, seen } = await runOnPhone(
      order(other, {
        sha256: sha(release),
        file: { size: release.length, stream: () => Readable.from([release]) },
        lengths: { untouched: 1, exercise: 1 },
      }),
    )
    // Too short a run to open the exported activity, and that is said too.
    expect([...missing].sort()).toEqual(['activities', 'private_files'])
    expect(seen.files.every(({ area }) => area !== 'private')).toBe(true)
  })
})
