import { createReadStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { DetectionKind } from '#contracts/detection/kinds.ts'
import { type AppFile, fileManage, uploadFile } from '#contracts/http/assets.ts'
import { createTasks } from '#contracts/http/detection/tasks.ts'
import type { Api, Upload } from './api-client.ts'

/** Real packages that come with the development tools: absent where only the product's own packages are installed. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'apks/settings_apk-debug.apk', type: 'security_management' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-debug-androidTest.apk', type: '' },
  { from: 'appium-uiautomator2-server', file: 'apks/appium-uiautomator2-server-v10.6.6.apk', type: '' },
] as const
/** Whose code is put into some of the copies in the simulated markets. */
export const INJECTED = PACKAGES[1]
const KINDS: readonly DetectionKind[] = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content']

/** Uploads a package to an application unless a file of this name is there; undefined where it is. */
export async function uploadPackage(
  api: Api,
  { name, content }: Pick<Upload, 'name' | 'content'>,
  fields: { readonly appid: string; readonly type?: string },
): Promise<AppFile | undefined> {
  const query = new URLSearchParams({ search: name, appid: fields.appid, page_size: '100' })
  const known = (await api.get(`${fileManage.path}?${query}`))['data'] as AppFile[]
  if (known.some((one) => one.file_name === name)) return undefined
  return (await api.upload(uploadFile.path, { name, content, fields }))['file_object'] as AppFile
}

/** Has files detected in every kind that needs no phone, each in a task of its own, at low priority: what somebody asks for goes first. */
export async function detectFiles(api: Api, files: readonly AppFile[]): Promise<void> {
  for (const { id } of files) await api.post(createTasks.path, { files: [id], kinds: KINDS, priority: 'low' })
}

/** Uploads the packages that are there and not uploaded yet to an application and has them detected, as a script of a customer would; says what it did. */
export async function seedPackages(api: Api, appid: string): Promise<string> {
  const files: AppFile[] = []
  for (const { from, file, type } of PACKAGES) {
    const path = pathOf(from, file)
    if (path === undefined) continue
    const made = await uploadPackage(api, { name: basename(file), content: createReadStream(path) }, { appid, type })
    if (made) files.push(made)
  }
  await detectFiles(api, files)
  return files.length > 0 ? `${files.length} packages uploaded, their detections are queued` : ''
}

/** Where a file of a package of the development tools is; undefined where it is not installed. */
export function pathOf(from: string, file: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(from) ?? []
  return folders.map((folder) => join(folder, from, file)).find((path) => existsSync(path))
}
