import { createReadStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { DetectionKind } from '#contracts/detection/kinds.ts'
import { type AppFile, fileManage, uploadFile } from '#contracts/http/assets.ts'
import { createTasks } from '#contracts/http/detection/tasks.ts'

/** Real packages that come with the development tools: absent where only the product's own packages are installed. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'apks/settings_apk-debug.apk', type: 'security_management' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-debug-androidTest.apk', type: '' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-v10.6.6.apk', type: '' },
] as const
/** What copies in the simulated markets are made of, and whose code is put into some of them. */
export const [MONITORED, INJECTED] = PACKAGES
const KINDS: readonly DetectionKind[] = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content']
const TIMEOUT_MS = 60_000
const BOUNDARY = 'appwarden-demo-5f0c1f6f2b'

/** Uploads a package to an application unless a file of this name is there. */
export async function uploadPackage(
  origin: string,
  token: string,
  path: string,
  { appid, name }: { readonly appid: string; readonly name: string },
): Promise<void> {
  const call = caller(origin, token)
  const known = (await call(`${fileManage.path}?page_size=100`)).data ?? []
  if (!known.some((one) => one.file_name === name)) await upload(call, path, name, { appid, type: '' })
}

/** Uploads the packages that are there and not uploaded yet to an application and has them detected, as a script of a customer would; says what it did. */
export async function seedPackages(origin: string, token: string, appid: string): Promise<string> {
  const call = caller(origin, token)
  const known = ((await call(`${fileManage.path}?page_size=100`)).data ?? []).map((one) => one.file_name)
  const files: string[] = []
  for (const { from, file, type } of PACKAGES) {
    const path = pathOf(from, file)
    const name = file.slice(file.lastIndexOf('/') + 1)
    if (path === undefined || known.includes(name)) continue
    const id = await upload(call, path, name, { appid, type })
    if (id !== undefined) files.push(id)
  }
  // At low priority: what somebody asks for goes first.
  for (const id of files) {
    const body = JSON.stringify({ files: [id], kinds: KINDS, priority: 'low' })
    await call(createTasks.path, { type: 'application/json', body })
  }
  return files.length > 0 ? `${files.length} packages uploaded, their detections are queued` : ''
}

function caller(origin: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  return async (path: string, request?: { type: string; body: string | ReadableStream }) => {
    const answer = await fetch(new URL(path, origin), {
      headers: { ...headers, ...(request && { 'content-type': request.type }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(request && { method: 'POST', body: request.body, duplex: 'half' as const }),
    })
    const json = (await answer.json()) as {
      code: number
      codemsg: string
      data?: AppFile[]
      file_object?: { id: string }
    }
    if (json.code !== 0) throw new Error(`${path} answered ${answer.status} ${json.codemsg}`)
    return json
  }
}

async function upload(
  call: ReturnType<typeof caller>,
  path: string,
  name: string,
  fields: Readonly<Record<string, string>>,
) {
  const form = {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Readable.toWeb(Readable.from(formOf(path, name, fields))) as ReadableStream,
  }
  return (await call(uploadFile.path, form)).file_object?.id
}

/** The form of an upload, read while it is sent: a demo that runs for days does not keep 70 MB of packages. */
async function* formOf(
  path: string,
  name: string,
  fields: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array> {
  const part = (head: string) => Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`)
  for (const [field, value] of Object.entries(fields))
    if (value) yield Buffer.concat([part(`name="${field}"`), Buffer.from(`${value}\r\n`)])
  yield part(`name="file"; filename="${name}"`)
  yield* createReadStream(path)
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
}

/** Where a file of a package of the development tools is; undefined where it is not installed. */
export function pathOf(from: string, file: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(from) ?? []
  return folders.map((folder) => join(folder, from, file)).find((path) => existsSync(path))
}
