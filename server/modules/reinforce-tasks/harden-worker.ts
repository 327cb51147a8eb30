import { FormatError } from '#engines/bytes/format-error.ts'
import { judgeChannelRoom } from '#engines/harden/channel-room.ts'
import { compareBundles } from '#engines/harden/compare-bundles.ts'
import { compareLibraries } from '#engines/harden/compare-libraries.ts'
import { comparePackages } from '#engines/harden/compare-packages.ts'
import { hardenPackage } from '#engines/harden/harden-package.ts'
import { type HardenLine, refusal } from '#engines/harden/hardening.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { packageScriptArchive } from '#engines/jsguard/package-script-archive.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { packageKind, readPackage } from '#engines/package/read-package.ts'
import { signingEntries } from '#engines/signing/sign-apk.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import { answeredScript, type ScriptAnswers } from '../js-protection/protect-package-scripts.ts'
import type { HardenMessage, HardenOrder, HardenSettings } from './harden-messages.ts'
import { hardenRequest } from './harden-request.ts'
import { sayPackage } from './say-package.ts'

/** Rewrites one package and ends: it opens no file and asks no network, whatever the package does to it. */
const argument = process.argv[2] ?? ''
const say = (message: HardenMessage) => sayAnything(message)
/** It ends by itself before the bound of the processor, so that the reason is said. */
const PROCESSOR_SECONDS = 540
/** Progress is said at most so often. */
const STEP_MS = 200
const LINES_AT_ONCE = 1000
const LONGEST = 500

if (argument !== '--probe') await run(JSON.parse(argument) as HardenOrder)

async function run(order: HardenOrder): Promise<void> {
  const bytes = readInput(order.size)
  try {
    const kind = packageKind(bytes, order.name)
    if (kind && kind !== order.kind) throw refusal('kind', `not ${order.kind}, but ${kind}`)
    if (order.task === 'scripts') sayPackage([packageScriptArchive(bytes) ?? new Uint8Array()])
    else if (order.task === 'harden') await harden(bytes, order)
    else compare(bytes, order)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    say({ refused: { key: `${error.format} ${error.key}`.slice(0, 60), detail: error.message.slice(0, 2000) } })
  }
}

async function harden(bytes: Uint8Array, order: Extract<HardenOrder, { task: 'harden' }>): Promise<void> {
  const settings = JSON.parse(readInput(order.settingBytes).toString('utf8')) as HardenSettings
  const keep = readKeepRules(settings.keepRules)
  let last = 0
  let lastStage = ''
  const { js_protection: scripts } = settings.options
  const result = await hardenPackage(bytes, order.name, {
    ...hardenRequest(settings.options, settings.enrolmentKey),
    ...(scripts.on && { protectScript: answeredScript(settings.scripts as ScriptAnswers) }),
    ...(settings.certificate !== undefined && { certificate: settings.certificate }),
    ...{ keep, seed: Buffer.from(settings.seed, 'hex') },
    isLate: () => process.cpuUsage().user / 1e6 > PROCESSOR_SECONDS,
    onStep(stage, done, total, current) {
      const now = performance.now()
      if (stage === lastStage && now - last < STEP_MS) return
      ;[last, lastStage] = [now, stage]
      say({ step: { stage, done, total, current: current.slice(0, LONGEST) } })
    },
  })
  const dropped = order.kind === 'aab' ? signingEntries(readZip(bytes)).slice(0, 100) : []
  say({ unread: keep.unread.slice(0, 1000), dropped: dropped.map((name) => name.slice(0, LONGEST)) })
  for (let from = 0; from < result.lines.length; from += LINES_AT_ONCE)
    say({ lines: result.lines.slice(from, from + LINES_AT_ONCE).map(bounded) })
  if (result.open) sayPackage(result.open(), 'open')
  sayPackage(result.pieces)
}

/** Names in packages may be longer than a sound one is, and may hold what no database takes. */
function bounded({ option, outcome, file, place, text, detail, count }: HardenLine) {
  const short = (name: string) => name.replaceAll('\u0000', '').slice(0, LONGEST)
  return { ...{ option, outcome, text, count }, file: short(file), place: short(place), detail: short(detail) }
}

function compare(bytes: Uint8Array, order: Extract<HardenOrder, { task: 'compare' }>): void {
  const read = (one: Uint8Array) => readPackage(one, order.name)
  const result = readInput(order.resultSize)
  const [before, after] = [read(bytes), read(result)]
  const open = order.openSize ? read(readInput(order.openSize)) : after
  const { checks, methods, ...figures } =
    order.kind === 'apk'
      ? comparePackages(before as AndroidPackage, after as AndroidPackage, open as AndroidPackage)
      : order.kind === 'aab'
        ? compareBundles(before as AndroidPackage, after as AndroidPackage)
        : compareLibraries(before, after)
  const plain = (lines: readonly string[]) => lines.map((line) => line.replaceAll('\u0000', ''))
  say({
    compared: {
      ...figures,
      checks: [...checks],
      lines: order.kind === 'apk' ? [bounded(judgeChannelRoom(result))] : [],
      methods: methods.map((one) => ({ method: one.method, before: plain(one.before), after: plain(one.after) })),
    },
  })
}
