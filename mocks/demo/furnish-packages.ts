import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { DetectionKind } from '#contracts/detection.ts'
import { type AppFile, fileManage, uploadFile } from '#contracts/http/assets.ts'
import { createTasks } from '#contracts/http/detection.ts'

/** Real packages that come with the development tools: absent where only the product's own packages are installed. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'apks/settings_apk-debug.apk', type: 'security_management' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-debug-androidTest.apk', type: '' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-v10.6.6.apk', type: '' },
] as const
const KINDS: readonly DetectionKind[] = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content']
const TIMEOUT_MS = 60_000

/** Uploads the packages that are there and not uploaded yet and has them detected, as a script of a customer would; says what it did. */
export async function furnishPackages(origin: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const call = async (path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const answer = await fetch(new URL(path, origin), {
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
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
  const known = ((await call(`${fileManage.path}?page_size=100`)).data ?? []).map((one) => one.file_name)
  const files: string[] = []
  for (const { from, file, type } of PACKAGES) {
    const path = pathOf(from, file)
    const name = file.slice(file.lastIndexOf('/') + 1)
    if (path === undefined || known.includes(name)) continue
    const form = new FormData()
    if (type) form.set('type', type)
    form.set('file', new Blob([new Uint8Array(await readFile(path))]), name)
    const { file_object } = await call(uploadFile.path, form)
    if (file_object) files.push(file_object.id)
  }
  // At low priority: what somebody asks for goes first.
  for (const id of files) await call(createTasks.path, { files: [id], kinds: KINDS, priority: 'low' })
  return files.length > 0 ? `${files.length} packages uploaded, their detections are queued` : ''
}

function pathOf(from: string, file: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(from) ?? []
  return folders.map((folder) => join(folder, from, file)).find((path) => existsSync(path))
}
