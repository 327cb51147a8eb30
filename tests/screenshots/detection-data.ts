import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DetectionKind } from '#contracts/detection/kinds.ts'
import { applicationList } from '#contracts/http/applications.ts'
import { uploadFile } from '#contracts/http/assets.ts'
import { suppress } from '#contracts/http/detection/result.ts'
import { saveOwnRule } from '#contracts/http/detection/rules.ts'
import { createTasks, detectionTask, stopTasks } from '#contracts/http/detection/tasks.ts'
import { answerSelfCheck } from '#contracts/http/self-check/checks.ts'
import { TELLING } from '#mocks/phone/behaviour.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { apiWith } from '../support/api.ts'
import { buildApk, withV1 } from '../support/apk/signed-apk.ts'
import { makeSigner } from '../support/apk/signer.ts'
import { apkBytes, element } from '../support/detect-package.ts'
import { phonePackage } from '../support/phone-package.ts'
import type { RunningServer } from '../support/running-server.ts'
import { ipaOf, profileOf, signedIpa } from '../support/signed-ipa.ts'

/** Packages that npm brings, so that a report has code, signers and components of a real one. */
const REAL = [
  'node_modules/io.appium.settings/apks/settings_apk-debug.apk',
  'node_modules/appium-uiautomator2-server/apks/appium-uiautomator2-server-v10.6.6.apk',
]
const KINDS: readonly DetectionKind[] = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content']
const ID = 'com.example.wallet'

const activity = (name: string) => element('activity', { name: `${ID}.${name}`, exported: true })
const permission = (name: string) => element('uses-permission', { name: `android.permission.${name}` })
const wallet = (version: string, code: number, safe: boolean) =>
  apkBytes({
    id: ID,
    manifest: { versionName: version, versionCode: code },
    application: { label: 'Wallet', allowBackup: true, ...(!safe && { debuggable: true }) },
    components: [activity('Main'), safe ? element('service', { name: `${ID}.Sync`, exported: true }) : activity('Pay')],
    others: [permission(safe ? 'INTERNET' : 'READ_SMS'), permission('CAMERA')],
  })
/** It runs on the simulated phone, and behaves as the simulated phone was configured. */
const PHONED = 'com.example.phoned'
export const phoneForPictures = () =>
  new SimulatedPhone({ behaviours: { [PHONED]: { ...TELLING, crashes: [`${PHONED}.Share`] } } })
const LOST = apkBytes({
  id: 'com.example.lost',
  manifest: { versionName: '1.2', versionCode: 12 },
  components: [activity('Main')],
})

/** Signed, and then something was put in: signatures that cover a part. */
const library = () =>
  buildApk({
    ...withV1(
      {
        'AndroidManifest.xml': Buffer.from('<manifest package="com.example.paykit"/>'),
        'R.txt': Buffer.from('int string app_name 0x7f010000'),
        'assets/rates.json': Buffer.from('{}'),
      },
      makeSigner('Example Payments', 'rsa'),
    ),
    'assets/inject.js': Buffer.from('alert(1)'),
  })
const iosApplication = () => {
  const signer = makeSigner('Apple Distribution: Example Payments', 'rsa')
  const info = {
    CFBundleDisplayName: 'Wallet',
    CFBundleShortVersionString: '5.8.3',
    CFBundleVersion: '583',
    MinimumOSVersion: '15.0',
  }
  const files = signedIpa(signer, {
    profile: profileOf(signer, makeSigner('Apple', 'rsa'), { TeamName: 'Example Payments' }),
    info,
  })
  return ipaOf({ ...files, 'Payload/App.app/inject.js': Buffer.from('alert(1)') })
}

/** What the pictures of assets and detection point at. */
export type DetectionBed = {
  readonly report: string
  readonly before: string
  readonly after: string
  readonly failed: string
  readonly stopped: string
  readonly dynamic: string
  readonly file: string
  /** Whose signature covers a part of it: a library with its detection, an iOS application. */
  readonly partial: string
  readonly partialReport: string
  readonly ios: string
  readonly appid: string
  /** A task that is being done while its picture is taken. */
  running(): Promise<string>
}

/** Uploads packages through the public door, has them scanned, and waits until the result can be looked at. */
export async function makeDetections(server: RunningServer): Promise<DetectionBed> {
  const said = server.cli('token', 'create', '--name', 'pictures', '--scopes', 'all')
  const token = /aw_at_[\w-]+/.exec(said)?.[0] ?? ''
  const api = apiWith(server.url, token, 60_000)

  const upload = async (name: string, bytes: Uint8Array) => {
    const form = new FormData()
    // Applications are made of APKs alone.
    if (name.endsWith('.apk')) form.set('create', 'application')
    form.set('type', 'online_payment')
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(server.url + uploadFile.path, { method: 'POST', body: form, headers })
    const body = (await answer.json()) as { file_object?: { id: string }; codemsg: string }
    if (!body.file_object) throw new Error(`${name}: ${body.codemsg}`)
    return body.file_object.id
  }
  const ask = async (file: string, kinds = KINDS) => {
    const { data, refused } = await api(createTasks, { body: { files: [file], kinds: [...kinds], run: 'short' } })
    if (!data[0]) throw new Error(JSON.stringify(refused))
    return data[0].id
  }
  const ended = async (id: string) => {
    for (const until = Date.now() + 180_000; Date.now() < until; ) {
      const { data } = await api(detectionTask, { query: { id, after: 0 } })
      if (data.state !== 'waiting' && data.state !== 'detecting') return id
      await new Promise((wake) => setTimeout(wake, 500))
    }
    throw new Error(`task ${id} does not end`)
  }

  const old = await upload('wallet-5.8.2.apk', wallet('5.8.2', 582, false))
  const before = await ended(await ask(old))
  const after = await ended(await ask(await upload('wallet-5.8.3.apk', wallet('5.8.3', 583, true))))
  const [file = '', other = ''] = [
    await upload(basename(REAL[0] as string), readFileSync(REAL[0] as string)),
    await upload(basename(REAL[1] as string), readFileSync(REAL[1] as string)),
  ]
  const report = await ended(await ask(file))
  const tooling = await ended(await ask(other))
  const quarter = Date.now() + 90 * 86_400_000
  for (const [task, item, reason, until] of [
    [after, 'android-no-packer', 'Hardening follows in the release pipeline, after this build.', quarter],
    [tooling, 'android-debuggable', 'A tool for tests; it never reaches a customer.', null],
    [tooling, 'android-no-hook-detect', 'Runs in the device lab alone.', quarter],
  ] as const)
    await api(suppress, { body: { task, item, reason, until } })

  const partial = await upload('paykit-2.1.0.aar', library())
  const partialReport = await ended(await ask(partial))
  const ios = await upload('wallet-5.8.3.ipa', iosApplication())

  const dynamic = await ask(await upload('phoned.apk', phonePackage(PHONED)), ['dynamic'])
  const lost = await upload('lost.apk', LOST)
  const sha256 = createHash('sha256').update(LOST).digest('hex')
  rmSync(join(server.dataFolder, 'files', sha256.slice(0, 2), sha256))
  const failed = await ended(await ask(lost, ['static']))
  const stopped = await ask(other, ['static'])
  await api(stopTasks, { body: { ids: [stopped] } })
  await ended(stopped)

  await api(saveOwnRule, {
    body: {
      name: 'DES',
      level: 'high',
      expression: 'string("DES")',
      threat: 'DES can be broken by trying every key.',
      advice: 'Encrypt with AES-GCM.',
    },
  })
  const { object_list: applications } = await api(applicationList)
  const appid = applications.find(({ name }) => name === 'Wallet')?.id ?? ''
  await api(answerSelfCheck, { body: { appid, item: 'm1-1', value: 'yes' } })
  await ended(dynamic)
  let runs = 0
  return {
    report,
    before,
    after,
    failed,
    stopped,
    dynamic,
    file,
    partial,
    partialReport,
    ios,
    appid,
    // Another task for each picture: the same package is not scanned for the same kinds twice.
    running: () => ask(other, KINDS.slice(0, ++runs)),
  }
}
