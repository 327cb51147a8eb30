import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DetectionTask, detectionTask } from '#contracts/http/detection/tasks.ts'
import type { Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import { startAdbServer } from '#mocks/phone/adb-server.ts'
import type { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { openPlaceLookup } from '#realtime/collect/read/place-lookup.ts'
import { runDetection } from '#server/modules/detection/detect-job.ts'
import type { TaskRow } from '#server/modules/detection/task-rows.ts'
import { noticeTask } from '#server/modules/vulnerabilities/notices.ts'
import { startJobQueue } from '#server/platform/queue/job-queue.ts'
import { boundedProgram, findIsolation, type SandboxLimits } from '#server/platform/sandbox/isolation.ts'
import { detectionQueue, phoneQueue } from '#server/processes/work-queues.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from './console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from './http-app.ts'

/** The HTTP application with a real detection queue, workers in their sandbox, and an adb server with `phones`. */
export type DetectionBed = {
  http: HttpApp
  /** Simulated phones behind its adb server: none at first. */
  phones: SimulatedPhone[]
  signIn(name: string, role: string): Promise<ConsoleClient>
  /** A file as the asset center keeps it; answers its id. */
  addFile(bytes: Uint8Array, more: FileFields): Promise<string>
  ended(client: ConsoleClient, id: string): Promise<DetectionTask>
  close(): Promise<void>
}
type FileFields = {
  application: number | null
  owner: number
  kind: string
  name?: string
  version?: string
  packageName?: string
}

const LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 60, wallSeconds: 60, openFiles: 128 }

/** A run on a phone as short as one that sees everything can be. */
const LENGTHS = {
  short: { untouched: 2, exercise: 4 },
  normal: { untouched: 2, exercise: 4 },
  long: { untouched: 60, exercise: 60 },
}

export const ENGLISH = { headers: { 'accept-language': 'en' } }

/** Calls and expects code 0; the answer as the contract types it. */
export async function good<E extends Endpoint>(
  client: ConsoleClient,
  endpoint: E,
  input: { query?: Record<string, unknown>; body?: unknown } = {},
): Promise<ResponseOf<E>> {
  const { body } = await client.call(endpoint, input, ENGLISH)
  if (body['code'] !== 0) throw new Error(`${endpoint.path}: ${body['code']} ${body['codemsg']}`)
  return body as ResponseOf<E>
}

export async function detectionBed(env: Record<string, string> = {}): Promise<DetectionBed> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-detection-'))
  const adb = await startAdbServer([])
  const http = await startHttpApp({ ADB_SERVER_SOCKET: `tcp:127.0.0.1:${adb.port}`, ...env })
  http.deps.files = await openLocalFiles(join(folder, 'files'))
  const isolation = findIsolation(boundedProgram(LIMITS), LIMITS, { hidden: folder })
  const { meta, database } = http
  const deps = {
    meta,
    files: http.deps.files,
    phones: { adb: { host: '127.0.0.1', port: adb.port }, places: openPlaceLookup(100), lengths: LENGTHS },
    limits: LIMITS,
    isolation: () => isolation,
    now: http.deps.now,
    afterwards: (task: TaskRow) => noticeTask(meta, task, http.deps.now()),
  }
  const queue = await startJobQueue({
    meta,
    database,
    zone: 'Asia/Shanghai',
    queues: [
      detectionQueue(meta, 2, (id, signals) => runDetection(deps, id, signals)),
      phoneQueue(meta, (id, signals) => runDetection(deps, id, signals)),
    ],
    retain: async () => {},
  })

  return {
    http,
    phones: adb.phones,
    async signIn(name, role) {
      await http.addUser(`${name}@example.com`, role)
      const client = new ConsoleClient(http.url, http.deps.now)
      await client.signIn(`${name}@example.com`, PASSWORD, CODE)
      return client
    },
    async addFile(bytes, { application, owner, kind, name = 'Wallet', version = '1.0', packageName = 'com.example' }) {
      const { sha256, size } = await http.deps.files.put(Readable.from([bytes]))
      const facts = {
        identity: [],
        abis: [],
        native_libraries: [],
        dex_files: 0,
        entries: 0,
        schemes: [],
        certificates: [],
        signature_issues: [],
        permissions: [],
        components: [],
        notes: [],
        hashes: {},
        cut: [],
      }
      const { id } = await meta.db
        .insertInto('app_files')
        .values({
          application_id: application,
          by_user: owner,
          name,
          file_name: `${name}.${kind}`,
          version,
          version_code: '1',
          size,
          md5: '',
          sha256,
          package_name: packageName,
          kind,
          file_type: kind === 'jar' ? '3' : kind === 'ipa' ? '2' : '1',
          platform: kind === 'ipa' ? 'ios' : 'android',
          type: '',
          protection: 'unreinforced',
          packer: '',
          signers: [],
          signature: 'unknown',
          icon: null,
          baseline_id: null,
          facts: JSON.stringify(facts),
          uploaded_at: http.deps.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return String(id)
    },
    async ended(client, id) {
      for (let tries = 0; tries < 600; tries++) {
        const { data } = await good(client, detectionTask, { query: { id } })
        if (data.state !== 'waiting' && data.state !== 'detecting') return data
        await sleep(50)
      }
      throw new Error('the task does not end')
    },
    async close() {
      await queue.stop()
      await http.close()
      await adb.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
