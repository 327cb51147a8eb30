import { setTimeout as sleep } from 'node:timers/promises'
import { type Market, markets, saveMarket, tryMarket } from '#contracts/http/monitoring/markets.ts'
import { moveTakedowns, type Takedown, takedowns } from '#contracts/http/monitoring/takedowns.ts'
import {
  createMonitorTask,
  type MonitorCopy,
  type MonitorTask,
  monitorCopies,
  monitorTasks,
  startMonitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { DEMO_STAGES } from '../app-markets/demo-offers.ts'
import type { Api } from './api-client.ts'
import type { DemoLanguage } from './demo-language.ts'
import type { DemoMarkets } from './start-markets.ts'

const POLL_MS = 3000
const INTERVAL_MS = 300
const nameOf = (at: number) => ({ zh: `演示渠道 ${at + 1}`, en: `Demo channel ${at + 1}` })

/**
 * Has the product look for copies of an application in the simulated markets: connectors tried and saved, then runs between which the markets
 * change, and a takedown request. What an earlier start did is kept. Answers what it did, '' where all was there.
 */
export async function seedMonitoring(
  api: Api,
  { appid, name }: { readonly appid: string; readonly name: string },
  simulated: DemoMarkets,
  language: DemoLanguage,
): Promise<string> {
  const ids = await saveMarkets(api, name, simulated)
  let task = await taskOf(api, appid)
  if (!task) {
    const body = { appid, markets: ids, schedule: 'daily' }
    task = (await api.post(createMonitorTask.path, body))['data'] as MonitorTask
  }
  const { id } = task
  const before = task.run
  task = await untilEnded(api, appid)
  for (let { stage } = simulated; stage + 1 < DEMO_STAGES; ) {
    if (stage + 2 === DEMO_STAGES) await askForRemoval(api, id, language)
    stage++
    await simulated.change(stage)
    await api.post(startMonitorTasks.path, { ids: [id] })
    task = await untilEnded(api, appid)
  }
  return task.run > before ? `${task.run} runs of channel monitoring, ${task.pirated} pirated copies` : ''
}

/** Connectors are tried before they are saved, as in the editor. */
async function saveMarkets(api: Api, keyword: string, simulated: DemoMarkets): Promise<string[]> {
  const query = new URLSearchParams({ search: nameOf(0).en.replace(/ \d+$/, ''), limit: '100' })
  const known = (await api.get(`${markets.path}?${query}`))['data'] as Market[]
  const ids: string[] = []
  for (const [at, { kind, connector }] of simulated.markets.entries()) {
    const names = nameOf(at)
    const same = known.find((one) => one.name === names.en)
    if (same) {
      ids.push(same.id)
      continue
    }
    const body = { names, kind, region: 'cn', home: '', hosts: [], interval_ms: INTERVAL_MS, connector }
    const { trial } = await api.post(tryMarket.path, { ...body, keyword })
    ids.push((await api.post(saveMarket.path, { id: '', ...body, trial }))['id'] as string)
  }
  return ids
}

async function taskOf(api: Api, appid: string): Promise<MonitorTask | undefined> {
  return ((await api.get(`${monitorTasks.path}?appid=${appid}`))['data'] as MonitorTask[])[0]
}

/** Rejects where the task is gone. */
async function untilEnded(api: Api, appid: string): Promise<MonitorTask> {
  for (;;) {
    const task = await taskOf(api, appid)
    if (!task) throw new Error('the monitoring task was deleted')
    if (task.state !== 'monitoring') return task
    await sleep(POLL_MS)
  }
}

/** A letter about the re-signed copy to all its markets, sent the same day; one of them takes it down. */
async function askForRemoval(api: Api, id: string, language: DemoLanguage): Promise<void> {
  const found = (await api.get(`${monitorCopies.path}?id=${id}&verdict=re-signed`))['data'] as MonitorCopy[]
  const [copy] = found
  if (!copy) return
  await api.post(makeReport.path, { of: 'takedown', copy: copy.id, market: '', format: 'pdf', language })
  const drafted = (await api.get(`${takedowns.path}?id=${id}&state=drafted`))['data'] as Takedown[]
  if (!drafted.length) return
  const ids = drafted.map((one) => one.id)
  await api.post(moveTakedowns.path, { ids, state: 'sent', at: Date.now() - POLL_MS, way: 'mail', note: '' })
}
