import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { notify, type Recipients } from '../../platform/notify.ts'
import type { TaskRow } from '../detection/task-rows.ts'
import { type AffectedPackage, affectedPackages } from './affected-packages.ts'
import { taskVulnerabilities } from './task-vulnerabilities.ts'

const EVERYTHING = { scope: { apps: 'all' }, userId: 0 } as const
/** Names in one notice. */
const NAMED = 5

/** Notifies who sees a package with a component that an accepted entry names, once for each application. Answers how many accounts. */
export async function noticeEntry(meta: MetaStore, entry: Vulnerability, now: number): Promise<number> {
  const packages = (await affectedPackages(meta, EVERYTHING, entry)).filter(({ certainty }) => certainty === 'affected')
  const byOwner = new Map<string, AffectedPackage[]>()
  for (const one of packages) {
    const key = ownerKey(one)
    byOwner.set(key, [...(byOwner.get(key) ?? []), one])
  }
  const notified = new Set<number>()
  for (const [key, some] of byOwner) {
    const [first] = some as [AffectedPackage]
    const names = [
      ...new Set(some.map((one) => `${one.name} ${one.version} (${one.component} ${one.componentVersion})`)),
    ]
    const note = names.slice(0, NAMED).join(', ')
    const users = await notify(
      meta,
      {
        to: recipients(first),
        kind: 'detection',
        key: `vulnerability:${entry.number}:${key}`,
        state: 'warn',
        title: {
          zh: `${entry.number} 涉及应用包中的组件`,
          en: `${entry.number} concerns a component of a package`,
        },
        note: { zh: note, en: note },
        path: `/knowledge/vulnerabilities?open=${encodeURIComponent(entry.number)}`,
        facts: { vulnerability: entry.number, packages: some.length },
      },
      now,
    )
    for (const user of users) notified.add(user)
  }
  return notified.size
}

/** After a detection: notifies of accepted entries that name a component of the package. Those that ship with the product are findings. */
export async function noticeTask(
  meta: MetaStore,
  task: Pick<TaskRow, 'id' | 'application_id' | 'owner_id' | 'name' | 'version'>,
  now: number,
): Promise<void> {
  const found = await taskVulnerabilities(meta, task.id)
  const numbers = new Set(
    found.flatMap(({ entry, origin, certainty }) =>
      origin !== 'built_in' && certainty === 'affected' ? [entry.number] : [],
    ),
  )
  const owner = { application: task.application_id, owner: task.owner_id }
  if (numbers.size === 0) return
  const named = [...numbers].slice(0, NAMED).join(', ')
  const of = `${task.name} ${task.version}`.trim()
  const rest = numbers.size > NAMED ? ` +${numbers.size - NAMED}` : ''
  await notify(
    meta,
    {
      to: recipients(owner),
      kind: 'detection',
      key: `components:${task.id}`,
      state: 'warn',
      title: { zh: '应用包的组件有已知漏洞', en: 'Components of a package have known vulnerabilities' },
      note: { zh: `${of}：${named}${rest}`, en: `${of}: ${named}${rest}` },
      path: `/detection/tasks/${task.id}/?tab=vulnerabilities`,
      facts: { task: task.id, vulnerabilities: numbers.size },
    },
    now,
  )
}

type Owner = Pick<AffectedPackage, 'application' | 'owner'>

function ownerKey({ application, owner }: Owner): string {
  if (application !== null) return `application:${application}`
  return owner === null ? 'none' : `user:${owner}`
}

/** A package of no application is its owner's; after the owner's account was deleted, it concerns those who see everything. */
function recipients({ application, owner }: Owner): Recipients {
  if (application !== null) return { may: 'detect.view', apps: [application] }
  return owner === null ? { may: 'detect.view', apps: null } : { users: [owner] }
}
