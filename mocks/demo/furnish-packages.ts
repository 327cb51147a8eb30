import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type AppFile, fileManage, uploadFile } from '#contracts/http/assets.ts'

/** Real packages that come with the development tools: absent where only the product's own packages are installed. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'apks/settings_apk-debug.apk', type: 'security_management' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-debug-androidTest.apk', type: '' },
] as const
const TIMEOUT_MS = 60_000

/** Uploads the packages that are there and not uploaded yet, as a script of a customer would; answers how many. */
export async function furnishPackages(origin: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const call = async (path: string, body?: FormData) => {
    const answer = await fetch(new URL(path, origin), {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { method: 'POST', body }),
    })
    const json = (await answer.json()) as { code: number; codemsg: string; data?: AppFile[] }
    if (json.code !== 0) throw new Error(`${path} answered ${answer.status} ${json.codemsg}`)
    return json
  }
  const known = ((await call(`${fileManage.path}?page_size=100`)).data ?? []).map((one) => one.file_name)
  let uploaded = 0
  for (const { from, file, type } of PACKAGES) {
    const path = pathOf(from, file)
    const name = file.slice(file.lastIndexOf('/') + 1)
    if (path === undefined || known.includes(name)) continue
    const form = new FormData()
    if (type) form.set('type', type)
    form.set('file', new Blob([new Uint8Array(await readFile(path))]), name)
    await call(uploadFile.path, form)
    uploaded++
  }
  return uploaded
}

function pathOf(from: string, file: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(from) ?? []
  return folders.map((folder) => join(folder, from, file)).find((path) => existsSync(path))
}
