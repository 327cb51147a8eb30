import { readFileSync } from 'node:fs'
import { type AppFile, uploadFile } from '#contracts/http/assets.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient, type Reply } from './console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from './http-app.ts'

export const SETTINGS_APK = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
export const TEST_APK = readFileSync(
  'node_modules/appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk',
)

/** A server that stores files, two operators, and what a script of the first one sends with an access token. */
export type AssetBed = {
  app: HttpApp
  owner: ConsoleClient
  stranger: ConsoleClient
  /** Of the access token. */
  authorization: string
  /** Uploads as a customer's script does: a form. */
  upload(bytes: Uint8Array, name: string, fields?: Record<string, string>): Promise<Reply>
  /** A form of fields alone. */
  send(fields: Record<string, string>): Promise<Reply>
  /** One step of the resumable protocol. */
  tus(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: Uint8Array,
  ): Promise<{ status: number; headers: Headers; text: string }>
}

export async function assetBed(): Promise<AssetBed> {
  const app = await startHttpApp()
  app.deps.files = await openLocalFiles(app.config.paths.files)
  const signedIn = async (username: string) => {
    await app.addUser(username, 'operator')
    const client = new ConsoleClient(app.url)
    await client.signIn(username, PASSWORD, CODE)
    return client
  }
  const owner = await signedIn('owner@example.com')
  const stranger = await signedIn('stranger@example.com')
  const made = await owner.call(createAccessToken, {
    body: { name: 'ci', scopes: ['asset.read', 'asset.upload', 'application.create'], days: 1 },
  })
  const authorization = `Bearer ${made.body['token']}`
  const post = async (form: FormData): Promise<Reply> => {
    const headers = { authorization, 'accept-language': 'en' }
    const answer = await fetch(app.url + uploadFile.path, { method: 'POST', body: form, headers })
    const text = await answer.text()
    return { status: answer.status, text, headers: answer.headers, body: text ? JSON.parse(text) : {} }
  }
  const formOf = (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    return form
  }
  return {
    ...{ app, owner, stranger, authorization },
    async upload(bytes, name, fields = {}) {
      const form = formOf(fields)
      form.set('file', new Blob([new Uint8Array(bytes)]), name)
      return post(form)
    },
    send: (fields) => post(formOf(fields)),
    async tus(method, path, headers = {}, body) {
      const answer = await fetch(app.url + path, {
        method,
        headers: {
          authorization,
          'tus-resumable': '1.0.0',
          ...(body && { 'content-type': 'application/offset+octet-stream' }),
          ...headers,
        },
        ...(body && { body: new Uint8Array(body) }),
      })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
  }
}

/** The file that an upload answers. */
export const fileOf = (reply: Reply) => reply.body['file_object'] as AppFile & { existing: boolean }
/** Upload-Metadata with a file name. */
export const named = (name: string) => `filename ${Buffer.from(name).toString('base64')}`
